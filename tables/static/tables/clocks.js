// Lengths of time that run on in the page, as the server writes them.

export function spell(milliseconds) {
  const seconds = Math.floor(Math.abs(milliseconds) / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${two(seconds % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
