create table ItemTable (key text unique on conflict replace, value blob);
create table cursorDiskKV (key text unique on conflict replace, value blob);
insert into cursorDiskKV values
  ('composerData:v1', '{"composerId":"v1","name":"In one list","createdAt":1735725600000,"conversation":[{"type":1,"bubbleId":"b1","text":"Wo liegen die Sitzungen?"},{"type":2,"bubbleId":"b2","text":"In Redis.","timingInfo":{"clientStartTime":5023.4,"clientEndTime":1735725605000}},{"type":2,"bubbleId":"b2","text":"Or so it seems."},"odd"]}'),
  ('composerData:v2', '{"composerId":"v2","createdAt":1735729200000,"fullConversationHeadersOnly":[{"bubbleId":"b2"},{"bubbleId":"b1"}],"conversationMap":{"b1":{"type":2,"rawText":"In Redis, too."},"b2":{"type":1,"rawText":"And the carts?","workspaceProjectDir":"/home/ana/code/shop"}}}'),
  ('composerData:v3', '{"name":"Tabs","createdAt":1735732800000,"tabs":[{"bubbles":[{"type":"user","content":"First tab?"},{"type":"ai","content":"Yes.","modelType":"gpt-4o"}]},{"bubbles":[{"type":"user","content":"Second tab?","workspaceUris":["vscode-remote://ssh-remote%2Bprod/home/ubuntu/shop"]}]}]}'),
  ('composerData:v4', '{"createdAt":1735736400000,"conversationMap":{"b2":{"type":2,"text":"Later.","timestamp":1735736402000},"b1":{"type":1,"text":"Sooner?","timestamp":1735736401000,"workspaceUris":["file:///c%3A/Users/Ana/shop"]}}}');
