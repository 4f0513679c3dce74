import { defineAnamnesisChat } from './register.js';

/** Entry of the script tag. */
defineAnamnesisChat();
