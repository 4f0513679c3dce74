import { defineAnamnesisChat } from './define.js';

/** Entry of the script tag. */
defineAnamnesisChat();
