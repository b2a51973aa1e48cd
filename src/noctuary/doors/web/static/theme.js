// The theme.
