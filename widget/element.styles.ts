import { baseStyles } from './styles/base.styles.js';
import { composerStyles } from './styles/composer.styles.js';
import { controlStyles } from './styles/controls.styles.js';
import { modelStyles } from './styles/model.styles.js';
import { resultStyles } from './styles/result.styles.js';
import { screenStyles } from './styles/screens.styles.js';
import { tokenStyles } from './styles/tokens.styles.js';

/** All styles of the element, constructed sheets only. */
export const elementStyles = [tokenStyles, baseStyles, controlStyles, composerStyles, screenStyles, resultStyles, modelStyles];
