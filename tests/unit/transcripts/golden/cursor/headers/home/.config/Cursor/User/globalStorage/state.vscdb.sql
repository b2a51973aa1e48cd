create table ItemTable (key text unique on conflict replace, value blob);
create table cursorDiskKV (key text unique on conflict replace, value blob);
insert into cursorDiskKV values
  ('composerData:c1', '{"_v":10,"composerId":"c1","name":"Cents of an order","text":"not sent yet","richText":"","createdAt":1772355599000,"lastUpdatedAt":1772355690000,"modelConfig":{"modelName":"default"},"unifiedMode":"agent","activeBranch":{"branchName":"main"},"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2},{"bubbleId":"b3","type":2},{"bubbleId":"b4","type":2},{"bubbleId":"b5","type":2},{"bubbleId":"b6","type":2},{"bubbleId":"gone","type":2},{"bubbleId":"b8","type":99}],"conversationMap":{},"latestConversationSummary":{"summary":{"summary":"We found that tax() rounds to whole euros."}}}'),
  ('composerData:c2', '{"composerId":"c2","createdAt":1772355630000,"subagentInfo":{"parentComposerId":"c1","subagentTypeName":"explore"},"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2}]}'),
  ('composerData:c3', '{"composerId":"c3","createdAt":1772359200000,"text":"a draft that was never sent","fullConversationHeadersOnly":[]}'),
  ('composerData:c4', null),
  ('composerData:c5', '{broken'),
  ('bubbleId:c1:b1', '{"_v":3,"type":1,"bubbleId":"b1","text":"Why is the total wrong by a cent? 🧾","createdAt":"2026-03-01T09:00:00.000Z","workspaceUris":["file:///home/ana/code/my%20shop"]}'),
  ('bubbleId:c1:b2', cast('{"_v":3,"type":2,"bubbleId":"b2","text":"","thinking":{"text":"Rounding, probably.","signature":"s"},"capabilityType":30,"createdAt":"2026-03-01T09:00:01.000Z","modelInfo":{"modelName":"claude-sonnet-4-5"}}' as blob)),
  ('bubbleId:c1:b3', '{"_v":3,"type":2,"bubbleId":"b3","text":"","capabilityType":15,"createdAt":"2026-03-01T09:00:02.000Z","toolFormerData":{"tool":40,"name":"read_file_v2","toolCallId":"call_1","status":"completed","rawArgs":"{\"path\":\"tax.py\"}","params":"{\"targetFile\":\"tax.py\"}","result":"{\"contents\":\"def tax(x):\\n    return round(x * .19)\"}"}}'),
  ('bubbleId:c1:b4', '{"_v":3,"type":2,"bubbleId":"b4","text":"","createdAt":"2026-03-01T09:00:03.000Z","toolFormerData":{"tool":15,"name":"run_terminal_command_v2","toolCallId":"call_2","status":"error","rawArgs":"{\"command\":\"pytest\",\"is_background\":false}","error":"{\"clientVisibleErrorMessage\":\"Failed\",\"modelVisibleErrorMessage\":\"command not found\"}"}}'),
  ('bubbleId:c1:b5', '{"_v":3,"type":2,"bubbleId":"b5","text":"","createdAt":"2026-03-01T09:00:04.000Z","toolFormerData":{"tool":48,"name":"task_v2","toolCallId":"call_3","status":"loading","params":"{\"prompt\":\"Look for other places\"}"}}'),
  ('bubbleId:c1:b6', '{"_v":3,"type":2,"bubbleId":"b6","text":"It rounds to whole euros.","createdAt":"2026-03-01T09:00:05.000Z","mood":"calm"}'),
  ('bubbleId:c1:b7', '{"_v":3,"type":1,"bubbleId":"b7","text":"This was taken back.","createdAt":"2026-03-01T09:00:06.000Z"}'),
  ('bubbleId:c1:b8', '{"type":99,"message":"What is this?","timestamp":1772355607000}'),
  ('bubbleId:c2:b1', '{"type":1,"text":"Look for other places","createdAt":"2026-03-01T09:00:30.000Z"}'),
  ('bubbleId:c2:b2', '{"type":2,"text":"There are none.","createdAt":"2026-03-01T09:00:31.000Z"}'),
  ('bubbleId:c2:null', null);
