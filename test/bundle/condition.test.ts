import { describe, expect, it } from 'vitest';
import { findingsOf, holds, mayHold, parseCondition } from '../../src/findings/condition.js';

function truth(source: string, present: readonly string[] = [], variables: Readonly<Record<string, number | string>> = {}): boolean {
  return holds(parseCondition(source), { isPresent: (id) => present.includes(id), variable: (name) => variables[name] });
}

describe('conditions', () => {
  it.each([
    ['fever', ['fever'], {}, true],
    ['fever', [], {}, false],
    ['!fever', [], {}, true],
    ['fever & cough', ['fever'], {}, false],
    ['fever & cough', ['fever', 'cough'], {}, true],
    ['fever | cough', ['cough'], {}, true],
    ['a | b & c', ['a'], {}, true],
    ['(a | b) & c', ['a'], {}, false],
    ['!(a | b)', ['b'], {}, false],
    ['!a & !b', [], {}, true],
    ['!!a', ['a'], {}, true],
    ['age >= 40', [], { age: 40 }, true],
    ['age > 40', [], { age: 40 }, false],
    ['age < 0.25', [], { age: 0.1 }, true],
    ['temperature <= 35', [], { temperature: 36 }, false],
    ['sex = female', [], { sex: 'female' }, true],
    ['sex != female', [], { sex: 'male' }, true],
    ['chest-pain & (sweating | age >= 40) & !recent-injury', ['chest-pain'], { age: 52 }, true],
    ['chest-pain&(sweating|age>=40)&!recent-injury', ['chest-pain', 'recent-injury'], { age: 52 }, false],
  ])('%s with %j and %j is %s', (source, present, variables, expected) => {
    expect(truth(source, present, variables)).toBe(expected);
  });

  it('holds no comparison with a value that is not known', () => {
    for (const operator of ['<', '<=', '>', '>=', '=', '!=']) expect(truth(`age ${operator} 40`)).toBe(false);
  });

  it.each([
    ['age < 12', {}, true],
    ['age < 12', { age: 40 }, false],
    ['!(age < 12)', {}, true],
    ['!(age < 12)', { age: 4 }, false],
    ['sex = female & age >= 11', { sex: 'female' }, true],
    ['sex = female & age >= 11', { sex: 'male' }, false],
    ['sex = female & fever', {}, false],
    ['sex = female | fever', {}, true],
    ['!fever', {}, true],
  ])('%s with %j may hold: %s', (source, variables: Readonly<Record<string, number | string>>, expected) => {
    expect(mayHold(parseCondition(source), { isPresent: () => false, variable: (name) => variables[name] })).toBe(expected);
  });

  it('names every finding, those under a not too, and no variable', () => {
    expect(findingsOf(parseCondition('a & (b | !c) & age >= 40 & sex = female'))).toEqual(['a', 'b', 'c']);
    expect(findingsOf(parseCondition('a & b | a & c'))).toEqual(['a', 'b', 'c']);
  });

  it.each(['', '  ', 'a &', '& a', 'a b', '(a', 'a)', 'a & (b | c', 'age >=', '>= 3', 'a && b', 'fever ~ cough', '发热', '12'])('refuses %j', (source) => {
    expect(() => parseCondition(source)).toThrow(SyntaxError);
  });
});
