"""Language models that answer a question: behind Anthropic's or OpenAI's protocol, or an agent's own command."""
