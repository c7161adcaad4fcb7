/** Who goes on by keyboard need not look for the button; a hand that has lost a card looks for its own first. */
export function focused(button: HTMLElement): () => void {
  const frame = requestAnimationFrame(() => button.focus({ preventScroll: true }));
  return () => cancelAnimationFrame(frame);
}
