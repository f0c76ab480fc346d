// What the client's Flutter packages use of package:flutter/material.dart.

import 'widgets.dart';

export 'widgets.dart';

class MaterialApp extends Widget {
  const MaterialApp({super.key, this.home});

  final Widget home;
}

class TextButton extends Widget {
  const TextButton({super.key, required this.onPressed, required this.child});

  final Object onPressed;
  final Widget child;
}
