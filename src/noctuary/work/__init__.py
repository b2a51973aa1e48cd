"""The work: tasks, decisions and what was learned, as a graph; packs and handoffs made from it."""
