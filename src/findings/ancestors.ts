/** Everything that holds when a finding does, itself not included, the nearest line first. @param parentsOf by id or by index */
export function ancestorsOf<T>(finding: T, parentsOf: (finding: T) => readonly T[]): Set<T> {
  const all = new Set<T>();
  const walk = (one: T): void => {
    for (const parent of parentsOf(one)) {
      if (all.has(parent)) continue;
      all.add(parent);
      walk(parent);
    }
  };
  walk(finding);
  return all;
}
