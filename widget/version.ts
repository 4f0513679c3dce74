/** Version of the package, for the warning when two copies meet on a page; a test holds it to `package.json`. */
export const VERSION = '0.1.0';
