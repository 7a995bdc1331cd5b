// A slip on paper is there to be printed.

addEventListener("load", () => print());
