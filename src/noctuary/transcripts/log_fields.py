"""The fields that records of Claude Code and of Codex have: others are new, and are told.

Most were met in transcripts; some are named from what is known of other versions and were not seen by us, so a list may
have a name too many or too few.  One too few costs a line in the report of drift, and no message.
"""

from noctuary.transcripts.unfamiliar import names

_CLAUDE_RECORD = names(
    "type uuid parentUuid logicalParentUuid sessionId timestamp cwd gitBranch version userType slug isSidechain",
    "agentId message isMeta isCompactSummary isVisibleInTranscriptOnly isReplay forkedFrom entrypoint promptId origin",
    "teamName agentName sessionKind",
)
# Of old transcripts a record is the message itself.
_BARE = names("role content model id")
CLAUDE = {
    "user": _CLAUDE_RECORD
    | _BARE
    | names(
        "toolUseResult thinkingMetadata todos permissionMode planContent sourceToolAssistantUUID sourceToolUseID",
        "imagePasteIds mcpMeta summarizeMetadata",
    ),
    "assistant": _CLAUDE_RECORD
    | _BARE
    | names("requestId error errorDetails isApiErrorMessage apiErrorStatus apiError costUSD durationMs advisorModel"),
    "message": names(
        "id type role model content container context_management stop_reason stop_sequence stop_details usage"
    ),
}
CODEX = {
    "session_meta": names(
        "id session_id timestamp cwd originator cli_version source model_provider base_instructions instructions git",
        "forked_from_id dynamic_tools memory_mode agent_nickname agent_role agent_path",
    ),
    "turn_context": names(
        "turn_id trace_id cwd current_date timezone approval_policy approvals_reviewer sandbox_policy network model",
        "permission_profile personality collaboration_mode realtime_active effort summary user_instructions",
        "developer_instructions final_output_json_schema truncation_policy file_system_sandbox_policy",
    ),
    "response_item/message": names("type id role content phase end_turn"),
    "response_item/reasoning": names("type id summary content encrypted_content"),
    "response_item/function_call": names("type id name namespace arguments call_id status"),
    "response_item/function_call_output": names("type id call_id output"),
    "response_item/custom_tool_call": names("type id status call_id name input"),
    "response_item/custom_tool_call_output": names("type id call_id name output"),
    "event_msg/user_message": names("type message kind images local_images text_elements client_id"),
    "event_msg/agent_message": names("type message phase memory_citation"),
    "event_msg/agent_reasoning": names("type text"),
}
