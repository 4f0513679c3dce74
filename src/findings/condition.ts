/**
 * The small language in which sources state conditions: finding ids (true when present) and comparisons of variables,
 * joined by `&`, `|`, `!` and brackets, for example `chest-pain & (sweating | age >= 40) & !recent-injury`.
 */
export type Condition =
  | { readonly type: 'finding'; readonly id: string }
  | { readonly type: 'compare'; readonly variable: string; readonly operator: '<' | '<=' | '>' | '>=' | '=' | '!='; readonly value: number | string }
  | { readonly type: 'not'; readonly of: Condition }
  | { readonly type: 'and' | 'or'; readonly of: readonly Condition[] };

/** What a condition is evaluated against. */
export interface ConditionScope {
  isPresent(findingId: string): boolean;
  /** A measured value, `sex`, or undefined where it is not known; a comparison with an unknown is false. */
  variable(name: string): number | string | undefined;
}

const TOKEN = /\s*([()&|!]|[<>]=?|!?=|[a-zA-Z][a-zA-Z0-9-]*|\d+(?:\.\d+)?)/uy;

/**
 * Parses a condition.
 * @throws {SyntaxError} where the text does not follow the language; the message names the place.
 */
export function parseCondition(source: string): Condition {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (match === null) throw new SyntaxError(`condition: unexpected text at "${source.slice(at, at + 12)}"`);
    const token = match[1] ?? '';
    if (token === '!' && source[TOKEN.lastIndex] === '=') {
      TOKEN.lastIndex++;
      tokens.push('!=');
    } else tokens.push(token);
  }
  let position = 0;
  const peek = (): string | undefined => tokens[position];
  const take = (): string => {
    const token = tokens[position++];
    if (token === undefined) throw new SyntaxError('condition: ends too early');
    return token;
  };
  const joined = (operator: '&' | '|', next: () => Condition): Condition => {
    const parts = [next()];
    while (peek() === operator) {
      take();
      parts.push(next());
    }
    const only = parts[0];
    return parts.length === 1 && only !== undefined ? only : { type: operator === '&' ? 'and' : 'or', of: parts };
  };
  const either = (): Condition => joined('|', both);
  const both = (): Condition => joined('&', single);
  const single = (): Condition => {
    const token = take();
    if (token === '!') return { type: 'not', of: single() };
    if (token === '(') {
      const inner = either();
      if (take() !== ')') throw new SyntaxError('condition: bracket not closed');
      return inner;
    }
    if (!/^[a-zA-Z]/.test(token)) throw new SyntaxError(`condition: expected a finding or variable, found "${token}"`);
    const operator = peek();
    if (operator === undefined || !/^(?:[<>]=?|!?=)$/.test(operator)) return { type: 'finding', id: token };
    take();
    const value = take();
    const number = Number(value);
    return { type: 'compare', variable: token, operator: operator as '<', value: Number.isNaN(number) ? value : number };
  };
  const condition = either();
  if (peek() !== undefined) throw new SyntaxError(`condition: unexpected "${String(peek())}"`);
  return condition;
}

/** True where the condition holds; `!x` holds when x is not known to be present. */
export function holds(condition: Condition, scope: ConditionScope): boolean {
  switch (condition.type) {
    case 'finding':
      return scope.isPresent(condition.id);
    case 'not':
      return !holds(condition.of, scope);
    case 'and':
      return condition.of.every((part) => holds(part, scope));
    case 'or':
      return condition.of.some((part) => holds(part, scope));
    case 'compare': {
      const actual = scope.variable(condition.variable);
      if (actual === undefined) return false;
      if (condition.operator === '=') return actual === condition.value;
      if (condition.operator === '!=') return actual !== condition.value;
      if (typeof actual !== 'number' || typeof condition.value !== 'number') return false;
      if (condition.operator === '<') return actual < condition.value;
      if (condition.operator === '<=') return actual <= condition.value;
      return condition.operator === '>' ? actual > condition.value : actual >= condition.value;
    }
  }
}

/** True where the condition holds or would for some value of what is not known. */
export function mayHold(condition: Condition, scope: ConditionScope): boolean {
  switch (condition.type) {
    case 'compare':
      return scope.variable(condition.variable) === undefined || holds(condition, scope);
    case 'and':
      return condition.of.every((part) => mayHold(part, scope));
    case 'or':
      return condition.of.some((part) => mayHold(part, scope));
    case 'not':
      return variablesOf(condition.of).some((name) => scope.variable(name) === undefined) || holds(condition, scope);
    case 'finding':
      return holds(condition, scope);
  }
}

/** The finding ids that a condition names, each once, those under `!` too. */
export function findingsOf(condition: Condition): string[] {
  if (condition.type === 'finding') return [condition.id];
  if (condition.type === 'compare') return [];
  return condition.type === 'not' ? findingsOf(condition.of) : [...new Set(condition.of.flatMap(findingsOf))];
}

/** The variables that a condition compares. */
export function variablesOf(condition: Condition): string[] {
  if (condition.type === 'finding') return [];
  if (condition.type === 'compare') return [condition.variable];
  return condition.type === 'not' ? variablesOf(condition.of) : condition.of.flatMap(variablesOf);
}
