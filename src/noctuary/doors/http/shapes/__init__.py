"""What goes through the API, as the schemas that its document shows: records of ours, field by field."""
