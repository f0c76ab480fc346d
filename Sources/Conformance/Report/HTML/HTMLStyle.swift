/// The style sheet of the page. Colours are named once for light and once for dark.
enum HTMLStyle {
  static let sheet = colors + layout + matrix + cases + paper

  private static let colors = """
    :root {
      --bg: #f6f6f3; --card: #fff; --ink: #1f2328; --soft: #5d636b; --line: #e2e2dc;
      --tint: #f1f1ec; --link: #1f5fbf;
      --pass: #16703f; --pass-bg: #e3f2e8; --fail: #a8221b; --fail-bg: #fae7e5;
      --warn: #7d5200; --warn-bg: #f9eed6; --known: #54469c; --known-bg: #ebe8f7;
      --skip: #5d636b; --skip-bg: #ecece7;
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
      --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono",
        monospace;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --bg: #14161a; --card: #1b1e23; --ink: #e4e6e9; --soft: #9ba2ab; --line: #2c3138;
        --tint: #22262c; --link: #8ab4f8;
        --pass: #6fd19c; --pass-bg: #173325; --fail: #ff958c; --fail-bg: #42201e;
        --warn: #ecc067; --warn-bg: #3a2d12; --known: #b7abf0; --known-bg: #2b2746;
        --skip: #9ba2ab; --skip-bg: #262a30;
      }
    }

    """

  private static let layout = """
    * { box-sizing: border-box; }
    html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; }
    body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.55 var(--sans);
      font-variant-numeric: tabular-nums; }
    [hidden] { display: none !important; }
    a { color: var(--link); text-decoration: none; }
    a:hover { text-decoration: underline; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
    code, pre { font-family: var(--mono); font-size: 0.867em; }
    small { font-size: 0.8em; color: var(--soft); }
    h1, h2, h3 { margin: 0; line-height: 1.3; font-weight: 600; }
    h2 { font-size: 1.15rem; overflow-wrap: anywhere; min-width: 0; }
    header { position: sticky; top: 0; z-index: 2; background: var(--bg);
      border-bottom: 1px solid var(--line); }
    .bar, main { max-width: 68rem; margin: 0 auto; padding: 0 1.5rem; }
    .bar { display: flex; align-items: center; gap: 1.5rem; min-height: 3.5rem; }
    .brand { font-weight: 650; font-size: 1.05rem; letter-spacing: -0.01em; color: var(--ink); }
    .brand:hover { text-decoration: none; }
    .filter { display: none; flex: 1; align-items: center; gap: 0.5rem; justify-content: flex-end; }
    .js .filter { display: flex; }
    .filter input, .filter select { font: inherit; font-size: 0.9rem; color: var(--ink);
      background: var(--card); border: 1px solid var(--line); border-radius: 8px;
      padding: 0.3rem 0.6rem; min-width: 0; }
    .filter input { flex: 0 1 17rem; }
    .filter output { font-size: 0.85rem; color: var(--soft); white-space: nowrap; min-width: 6.5em;
      text-align: right; }
    main { padding-top: 1.75rem; padding-bottom: 5rem; }
    main > section { margin-bottom: 2.5rem; }
    .runs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr));
      gap: 1rem; }
    .run, .matrix .scroll, .list { background: var(--card); border: 1px solid var(--line);
      border-radius: 12px; }
    .run { padding: 1.1rem 1.25rem 1.2rem; min-width: 0; }
    .run h1 { font-size: 1.05rem; display: flex; gap: 0.55rem; align-items: baseline; }
    .run .name { overflow-wrap: anywhere; min-width: 0; }
    .outcome { margin: 0.35rem 0 0.9rem; font-weight: 600; }
    .outcome.pass { color: var(--pass); } .outcome.fail { color: var(--fail); }
    .outcome.warn { color: var(--warn); }
    .run dl { margin: 0; font-size: 0.87rem; }
    .run dl div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.16rem 0; }
    dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
    .run dd { text-align: right; }
    .letter { flex: none; display: inline-block; min-width: 1.45em; padding: 0 0.3em;
      text-align: center; font-size: 0.8em; line-height: 1.5; font-weight: 650; border-radius: 5px;
      background: var(--tint); color: var(--soft); margin-right: 0.45em; }
    .run .letter { margin: 0; }
    .caution { border-left: 3px solid var(--warn); padding: 0.1rem 0 0.1rem 0.8rem;
      color: var(--warn); margin: -1.2rem 0 2rem; }
    .list { padding: 1rem 1.25rem; }
    .list h2 { color: var(--fail); font-size: 1rem; } .list ul { margin: 0.5rem 0 0; }
    .list li { overflow-wrap: anywhere; }
    .scroll { overflow-x: auto; }
    .m { display: inline-flex; align-items: center; justify-content: center; flex: none;
      width: 1.5em; height: 1.5em; border-radius: 5px; font-style: normal; font-weight: 700;
      font-size: 0.8rem; line-height: 1; vertical-align: 0.05em; }
    .m.pass { color: var(--pass); background: var(--pass-bg); }
    .m.fail { color: var(--fail); background: var(--fail-bg); }
    .m.warn { color: var(--warn); background: var(--warn-bg); }
    .m.known { color: var(--known); background: var(--known-bg); }
    .m.skip, .m.none { color: var(--skip); background: var(--skip-bg); }

    """

  private static let matrix = """
    .matrix h2 { margin-bottom: 0.7rem; }
    .matrix table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
    .matrix th, .matrix td { padding: 0.5rem 1rem; text-align: left; vertical-align: middle;
      border-bottom: 1px solid var(--line); }
    .matrix thead th { font-size: 0.82rem; font-weight: 500; color: var(--soft); }
    .matrix thead .name { display: inline-block; max-width: 11rem; overflow: hidden;
      text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
    .matrix th[scope=row] { font-weight: 500; white-space: nowrap; }
    .matrix th[scope=row] a { color: inherit; }
    .matrix tbody tr:hover { background: var(--tint); }
    .matrix tbody tr:last-child > * { border-bottom-color: var(--soft); }
    .matrix tfoot > tr > * { border-bottom: 0; font-weight: 650; }
    .matrix td { width: 24%; }
    .rate { display: inline-flex; gap: 0.5rem; align-items: center; min-width: 6.2em; }
    .matrix td small { white-space: nowrap; }
    .meter { display: block; height: 3px; margin-top: 0.3rem; border-radius: 2px;
      background: var(--skip-bg); overflow: hidden; }
    .meter span { display: block; height: 100%; background: currentColor; }
    td.pass .meter { color: var(--pass); } td.fail .meter { color: var(--fail); }
    td.warn .meter { color: var(--warn); } td.known .meter { color: var(--known); }
    .meter span { opacity: 0.55; }
    .shared { overflow-wrap: anywhere; margin: -1.5rem 0.2rem 2.5rem; font-size: 0.87rem; color: var(--soft); }
    .causes ol { list-style: none; margin: 0.7rem 0 0; padding: 0; background: var(--card);
      border: 1px solid var(--line); border-radius: 12px; }
    .causes li { display: flex; gap: 0.8rem; padding: 0.55rem 1rem; align-items: baseline;
      border-top: 1px solid var(--line); }
    .causes li:first-child { border-top: 0; }
    .causes .count { flex: none; min-width: 4em; text-align: right; font-weight: 650; }
    .causes a { margin-left: auto; flex: none; font-size: 0.85rem; }
    .causes .letter { margin: 0; }
    .causes li > span { overflow-wrap: anywhere; min-width: 0; }
    .causes li > .count { overflow-wrap: normal; }
    .legend { display: flex; flex-wrap: wrap; gap: 0.35rem 1.1rem; margin: 0.8rem 0.2rem 0;
      font-size: 0.82rem; color: var(--soft); }
    .legend span { white-space: nowrap; } .legend .m { font-size: 0.72rem; }

    """

  private static let cases = """
    .area > h2 { display: flex; flex-wrap: wrap; align-items: baseline;
      justify-content: space-between; gap: 0.2rem 1rem; margin-bottom: 0.6rem; }
    .score { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; font-size: 0.82rem;
      font-weight: 400; color: var(--soft); }
    .case, .group { background: var(--card); border: 1px solid var(--line); margin-top: -1px; }
    .area > :nth-child(1 of details) { border-radius: 12px 12px 0 0; }
    .area > details:last-child { border-radius: 0 0 12px 12px; }
    .area > details:only-of-type { border-radius: 12px; }
    summary { display: flex; align-items: center; gap: 0.75rem; padding: 0.5rem 1rem;
      cursor: pointer; list-style: none; }
    summary::-webkit-details-marker { display: none; }
    summary::after { content: "›"; margin-left: auto; color: var(--soft); font-size: 1.2rem;
      line-height: 1; transition: transform 0.12s; }
    details[open] > summary::after { transform: rotate(90deg); }
    summary:hover { background: var(--tint); }
    .marks { display: inline-flex; gap: 3px; flex: none; }
    .id { font-family: var(--mono); font-size: 0.87rem; overflow-wrap: anywhere; min-width: 0; }
    .hint { flex: 1 1 12rem; min-width: 0; overflow: hidden; text-overflow: ellipsis;
      white-space: nowrap; font-size: 0.82rem; color: var(--soft); text-align: right; }
    .case[open] .hint { visibility: hidden; }
    .tag { font-size: 0.74rem; color: var(--soft); border: 1px solid var(--line);
      border-radius: 99px; padding: 0 0.55em; flex: none; }
    .case:target, li:target { outline: 2px solid var(--link); outline-offset: -2px; }
    .body { padding: 0.3rem 1rem 1rem; border-top: 1px solid var(--line); }
    .given, .pair { margin: 0.7rem 0; }
    .given div, .pair div { display: grid; grid-template-columns: 8.5rem 1fr; gap: 0.2rem 1rem;
      padding: 0.15rem 0; }
    .given dt, .pair dt { font-size: 0.85rem; }
    dd code { overflow-wrap: anywhere; }
    .finding { border-left: 3px solid var(--line); padding-left: 1rem; margin: 1rem 0; }
    .finding.fail { border-color: var(--fail); } .finding.warn { border-color: var(--warn); }
    .finding.known { border-color: var(--known); }
    .finding h3 { font-size: 0.9rem; display: flex; align-items: center; flex-wrap: wrap;
      gap: 0.4em; overflow-wrap: anywhere; }
    .finding .letter { margin: 0; }
    .finding p { margin: 0.45rem 0; max-width: 46rem; overflow-wrap: anywhere; }
    .finding .more { color: var(--soft); } .finding .cause { font-weight: 600; }
    .finding p.known { color: var(--known); }
    .bytes { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 0.8rem 0; }
    figure { margin: 0; flex: 0 1 auto; min-width: 0; max-width: 100%; }
    figcaption, caption { font-size: 0.78rem; color: var(--soft); text-align: left;
      margin-bottom: 0.2rem; }
    .bytes pre, .note { margin: 0; padding: 0.6rem 0.9rem; background: var(--tint);
      border-radius: 8px; overflow-x: auto; line-height: 1.65; min-width: 20.5em; }
    .bytes pre b { font-weight: 700; border-radius: 3px; text-decoration: underline;
      text-underline-offset: 3px; }
    figure:first-child b { color: var(--pass); background: var(--pass-bg); }
    figure:last-child b { color: var(--fail); background: var(--fail-bg); }
    .at, .gap, .bytes s { color: var(--soft); text-decoration: none; } .bytes s { opacity: 0.6; }
    .dump { border-collapse: collapse; font-size: 0.85rem; margin: 0.6rem 0; }
    .dump td { padding: 0.12rem 0.9rem 0.12rem 0; vertical-align: top; }
    .dump td:first-child { text-align: right; color: var(--soft); padding-left: 0.6rem; }
    .dump code { white-space: nowrap; }
    .dump .here td { background: var(--warn-bg); }
    .dump .here td:first-child { border-radius: 4px 0 0 4px; color: var(--warn);
      font-weight: 700; }
    .dump .here td:last-child { border-radius: 0 4px 4px 0; }
    .note { white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; margin: 0.7rem 0; }
    .again { margin: 0.9rem 0 0; font-size: 0.85rem; color: var(--soft); overflow-wrap: anywhere; }
    .again code { color: var(--ink); }
    .group summary { color: var(--soft); font-size: 0.9rem; gap: 0.4rem; }
    .group summary .m { margin-right: 0.35rem; }
    .group ul { margin: 0; padding: 0.4rem 1rem 0.9rem; list-style: none; font-size: 0.8rem;
      font-family: var(--mono); columns: 22rem; column-gap: 2rem; border-top: 1px solid var(--line); }
    .group li { overflow-wrap: anywhere; padding: 0.06rem 0; break-inside: avoid; }
    .group li small { font-family: var(--sans); }
    .group li.r::after { content: " recommended"; color: var(--soft); font-size: 0.9em;
      font-family: var(--sans); }
    #none { color: var(--soft); text-align: center; padding: 3rem 0; }

    """

  private static let paper = """
    @media (max-width: 46rem) {
      html { scroll-padding-top: 6.5rem; }
      .bar, main { padding-left: 0.9rem; padding-right: 0.9rem; }
      .bar { flex-wrap: wrap; gap: 0.4rem; padding-top: 0.5rem; padding-bottom: 0.6rem; }
      .filter { flex: 1 0 100%; min-width: 0; }
      .filter input { flex: 2 1 0; } .filter select { flex: 1 1 0; padding: 0.3rem 0.2rem; }
      .filter output { position: absolute; top: 0.55rem; right: 0.9rem; }
      .matrix th, .matrix td { padding: 0.45rem 0.35rem; }
      .matrix th:first-child { padding-left: 0.7rem; }
      .matrix td { width: auto; } .rate { min-width: 0; gap: 0.3rem; white-space: nowrap; }
      .matrix td .m { width: 1.3em; height: 1.3em; }
      .hint { display: none; }
      .matrix .letter + .name { display: none; }
      .matrix table { font-size: 0.84rem; }
      .matrix td small { display: block; white-space: normal; }
      .matrix th[scope=row] { white-space: normal; overflow-wrap: anywhere; font-size: 0.77rem;
        min-width: 7.2rem; }
      summary { padding: 0.5rem 0.75rem; gap: 0.6rem; } .body { padding: 0.3rem 0.75rem 0.9rem; }
      .given div, .pair div { grid-template-columns: 1fr; gap: 0; padding: 0.25rem 0; }
      .finding { padding-left: 0.7rem; }
      .bytes pre { min-width: 0; padding: 0.6rem; }
    }
    @media print {
      :root { --bg: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --tint: #f4f4f4; }
      body { font-size: 10pt; }
      header { position: static; } .filter, .again a { display: none !important; }
      main, .bar { max-width: none; padding: 0; } main { padding-top: 1rem; }
      .run, .finding, tr { break-inside: avoid; }
      .m, .bytes b, .dump .here td, .meter span { -webkit-print-color-adjust: exact;
        print-color-adjust: exact; }
    }

    """
}
