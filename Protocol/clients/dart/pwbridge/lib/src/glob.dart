/// Patterns for channel names.
library;

/// Whether a channel name matches a pattern, in which `*` stands for any characters and `?` for
/// one, as everywhere in PWBridge.
bool pwGlobMatches(String pattern, String text) {
  int p = 0;
  int t = 0;
  int star = -1;
  int retry = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] == '*') {
      star = p;
      retry = t;
      p += 1;
    } else if (p < pattern.length && (pattern[p] == '?' || pattern[p] == text[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      // The last star takes one character more.
      retry += 1;
      p = star + 1;
      t = retry;
    } else {
      return false;
    }
  }
  while (p < pattern.length && pattern[p] == '*') {
    p += 1;
  }
  return p == pattern.length;
}
