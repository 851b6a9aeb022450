package io.packing.cli;

import io.packing.bdt.master.BdtMasterConfig;
import io.packing.options.Option;
import io.packing.worker.api.MountOptions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A command that runs all the time, and what it can be told.
 *
 * @param arguments long names of its arguments beside options, without dashes
 * @param needed examples of what it does not start without
 * @param prefix how the keys of its options begin
 */
record Daemon(String command, List<String> arguments, List<String> needed, String prefix, List<Option<?>> options) {
    static final Daemon BDT_MASTER = new Daemon(
            "bdt-master",
            List.of(),
            List.of("--data-dir /var/lib/packing/bdt", "--bind 127.0.0.1:19998", "--store s3://bucket/prefix"),
            "bdt.",
            BdtMasterConfig.OPTIONS);

    static final Daemon WORKER = new Daemon(
            "worker",
            List.of("master", "id", "buffer-dir", "host", "port"),
            List.of(
                    "--master 127.0.0.1:19998",
                    "--id worker-1",
                    "--buffer-dir /var/lib/packing/buffer",
                    "--host 127.0.0.1",
                    "--port 0",
                    "--option packing.store=s3://bucket/prefix"),
            "packing.",
            MountOptions.OPTIONS);

    static final List<Daemon> ALL = List.of(BDT_MASTER, WORKER);

    private static final Set<String> RUNNING = Set.of("bdt-master", "worker", "registry");

    Daemon {
        arguments = List.copyOf(arguments);
        needed = List.copyOf(needed);
        options = List.copyOf(options);
    }

    /** @throws IllegalArgumentException naming the daemons that there are */
    static Daemon named(String command) {
        return find(command)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'%s' is no daemon: there are bdt-master and worker".formatted(command)));
    }

    /** The daemon that a command line runs, if it does not only ask for help. */
    static Optional<String> runBy(List<String> words) {
        boolean helps = words.stream().anyMatch(Set.of("--help", "-h", "--version", "-V")::contains);
        // Commands below the registry's end by themselves.
        boolean below = words.size() > 1
                && !words.get(1).startsWith("-")
                && !words.get(1).startsWith("@");
        return words.stream()
                .limit(1)
                .filter(word -> RUNNING.contains(word) && !helps && !below)
                .findFirst();
    }

    static Optional<Daemon> find(String command) {
        return ALL.stream().filter(daemon -> daemon.command.equals(command)).findFirst();
    }
}
