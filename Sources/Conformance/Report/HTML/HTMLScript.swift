/// The little JavaScript of the page: filters, links to a case, and paper. Without it everything is
/// there, only not filtered.
enum HTMLScript {
  static let early = "document.documentElement.className='js'"

  static let late = """

    (function () {
      'use strict';
      var all = function (query, root) {
        return Array.prototype.slice.call((root || document).querySelectorAll(query));
      };
      var get = function (id) { return document.getElementById(id); };
      var text = get('text'), verdict = get('verdict'), level = get('level');
      var failing = ['fail', 'crash', 'timeout', 'protocol-error'];
      var rows = all('.case').map(function (node) {
        return { node: node, id: node.id.toLowerCase(), text: null,
          verdicts: node.dataset.v.split(' '), level: node.dataset.l };
      });
      all('.group ul').forEach(function (list) {
        var verdicts = [list.className === 'pass' ? 'pass' : 'skipped'];
        all('li', list).forEach(function (node) {
          rows.push({ node: node, id: node.id.toLowerCase(), text: '', verdicts: verdicts,
            level: node.className === 'r' ? 'recommended' : 'required' });
        });
      });
      var fits = function (row, words) {
        if (level.value && row.level !== level.value) { return false; }
        var wanted = verdict.value;
        var has = function (name) { return row.verdicts.indexOf(name) >= 0; };
        if (wanted && !(wanted === 'bad' ? failing.some(has) : has(wanted))) { return false; }
        return words.every(function (word) {
          if (row.id.indexOf(word) >= 0) { return true; }
          if (row.text === null) { row.text = row.node.textContent.toLowerCase(); }
          return row.text.indexOf(word) >= 0;
        });
      };
      var apply = function () {
        var words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
        var shown = 0;
        var isFiltered = words.length > 0 || verdict.value || level.value;
        rows.forEach(function (row) {
          var isShown = fits(row, words);
          row.node.hidden = !isShown;
          if (isShown) { shown += 1; }
        });
        all('.group').forEach(function (group) {
          var count = all('li:not([hidden])', group).length;
          group.hidden = count === 0;
          group.querySelector('.count').textContent = count;
          if (words.length > 0 && count > 0 && count < 40) { group.open = true; }
        });
        all('.area').forEach(function (area) {
          area.hidden = !area.querySelector('.case:not([hidden]), .group:not([hidden])');
        });
        get('none').hidden = shown > 0;
        get('shown').textContent = isFiltered ? shown + ' of ' + rows.length : rows.length + ' cases';
      };
      var reveal = function () {
        var name = location.hash.slice(1);
        try { name = decodeURIComponent(name); } catch (error) { return; }
        var node = name && get(name);
        if (!node) { return; }
        if (node.hidden) {
          text.value = ''; verdict.value = ''; level.value = '';
          apply();
        }
        for (var each = node; each; each = each.parentElement) {
          if (each.tagName === 'DETAILS') { each.open = true; }
        }
        node.scrollIntoView();
      };
      text.form.addEventListener('submit', function (event) { event.preventDefault(); });
      [text, verdict, level].forEach(function (control) {
        control.addEventListener('input', apply);
      });
      window.addEventListener('hashchange', reveal);
      window.addEventListener('beforeprint', function () {
        all('.case:not([hidden])').slice(0, 200).forEach(function (node) { node.open = true; });
      });
      apply();
      reveal();
    })();

    """
}
