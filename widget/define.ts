import { defineAnamnesisChat } from './register.js';

/** Registers the tag when imported. */
defineAnamnesisChat();
