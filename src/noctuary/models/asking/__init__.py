"""What a dream asks a language model, whichever it is, and why it is not believed without a check."""
