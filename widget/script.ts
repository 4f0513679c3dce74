/** Entry of the script tag. */
import './define.js';
