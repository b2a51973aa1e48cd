"""MEMORY.md and the files around it: laid out within a budget, written whole, and read back when people edit them."""
