/** Where a record can be brought, with its words: fetched when somebody comes by. */
export async function bring(): Promise<typeof import('./Bring.svelte')> {
  const [part, { texts }] = await Promise.all([import('./Bring.svelte'), import('./texts')]);
  await texts.ready();
  return part;
}
