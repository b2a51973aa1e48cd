"""What in a memory deserves a look: said twice, out of date, resting on nothing, never told, or never to be kept."""
