create table ItemTable (key text unique on conflict replace, value blob);
insert into ItemTable values
  ('workbench.panel.aichat.view.aichat.chatdata', '{"tabs":[{"tabId":"t1","chatTitle":"Cents","lastSendTime":1717232400000,"bubbles":[{"type":"user","id":"b1","text":"Why a cent?","attachedFolders":[]},{"type":"ai","id":"b2","rawText":"Rounding.","modelType":"gpt-4"}]},{"tabId":"t2","bubbles":[]},{"tabId":"t3","timestamp":1717236000000,"bubbles":[{"type":"user","text":"Hello"},{"type":"hologram","text":"?"}]}]}'),
  ('workbench.panel.other', 'not about chats');
