/**
 * What the server says has changed in a view. An object changes what it names, in a list by index; `[value]` is a new
 * value, `[start, count, …items]` replaces so many items of a list; anything else is the new value itself.
 */
export function changed<T>(value: T, change: unknown): T;
export function changed(value: unknown, change: unknown): unknown {
  if (typeof change !== 'object' || change === null) return change;
  if (Array.isArray(change)) return change.length === 1 ? change[0] : spliced(value, change);
  const parts = Object.entries(change);
  if (Array.isArray(value)) {
    const items: unknown[] = [...(value as readonly unknown[])];
    for (const [index, part] of parts) items[Number(index)] = changed(items[Number(index)], part);
    return items;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  return {
    ...fields,
    ...Object.fromEntries(parts.map(([name, part]) => [name, changed(fields[name], part)])),
  };
}

function spliced(value: unknown, [start, count, ...items]: readonly unknown[]): readonly unknown[] {
  const list = value as readonly unknown[];
  return [...list.slice(0, Number(start)), ...items, ...list.slice(Number(start) + Number(count))];
}
