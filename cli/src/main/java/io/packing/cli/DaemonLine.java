// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The command line of a daemon. Short commands read it without loading the options of all daemons, which {@link Daemon} has. */
final class DaemonLine {
    static final Set<String> DAEMONS = Set.of("bdt-master", "worker", "registry", "s3");

    /** A daemon that has no file: its flags say all. */
    private static final String CSI = "csi";

    /** The command whose server is a daemon without a file. */
    private static final String VOLUME = "volume";

    /** A snapshotter of containerd is a daemon, and other uses of its command are none. */
    private static final String LAYERS = "layers";

    private static final String SNAPSHOTTER = "--containerd";

    private static final Set<String> QUESTIONS = Set.of("--help", "-h", "--version", "-V");

    private DaemonLine() {}

    /** Returns the name of the command that logs to a file of its own; empty: it is no daemon, or asks for help only. */
    static Optional<String> logged(List<String> words) {
        if (words.isEmpty() || words.stream().anyMatch(QUESTIONS::contains)) {
            return Optional.empty();
        }
        return switch (words.get(0)) {
            case CSI -> Optional.of(CSI);
            case VOLUME -> words.size() > 1 && words.get(1).equals("serve") ? Optional.of(VOLUME) : Optional.empty();
            case LAYERS ->
                words.stream().anyMatch(DaemonLine::asksForSnapshotter)
                        ? Optional.of(SNAPSHOTTER.substring(2))
                        : Optional.empty();
            default -> of(words);
        };
    }

    private static boolean asksForSnapshotter(String word) {
        return word.equals(SNAPSHOTTER) || word.startsWith(SNAPSHOTTER + "=");
    }

    /** Returns the name of the daemon that a command line runs; empty: it runs none, or asks for help only. */
    static Optional<String> of(List<String> words) {
        boolean asks = words.stream().anyMatch(QUESTIONS::contains);
        // Commands below the registry's end by themselves.
        boolean below = words.size() > 1
                && !MountUri.isOne(words.get(1))
                && !words.get(1).startsWith("-")
                && !words.get(1).startsWith("@");
        return words.isEmpty() || asks || below
                ? Optional.empty()
                : Optional.of(words.get(0)).filter(DAEMONS::contains);
    }
}
