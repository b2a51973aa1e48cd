"""Does hostile text that agents read become a memory?  Cases, how they are played, and how they are judged."""
