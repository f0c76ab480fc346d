// What the client's Flutter packages use of package:flutter/widgets.dart: widgets without layout
// and painting. Behaviour: https://api.flutter.dev/flutter/widgets/State-class.html

export 'services.dart' show WidgetsFlutterBinding;

class Key {
  const Key(this.value);

  final String value;
}

class BuildContext {}

class Widget {
  const Widget({this.key});

  final Key? key;
}

class StatefulWidget extends Widget {
  const StatefulWidget({super.key});
}

class State {
  bool mounted = false;

  void setState(Object change) {
    change();
  }

  void dispose() {
    mounted = false;
  }
}

class Text extends Widget {
  const Text(this.data, {super.key});

  final String data;
}

class Column extends Widget {
  const Column({super.key, this.children});

  final List<Widget> children;
}
