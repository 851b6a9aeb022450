package io.packing.cli;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.SharedMountOptions;
import io.packing.bdt.client.GrpcBdts;
import io.packing.options.Options;
import io.packing.store.StoreOptions;
import io.packing.transport.SecurityOptions;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The BDT master that a command asks about the options of a mount, and the options that it names. */
final class SharedOptionsTarget {
    @Option(
            names = "--master",
            paramLabel = "HOST:PORT",
            required = true,
            description = "The BDT master, or the masters of a group with commas between them.")
    private String master = "";

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = MasterTarget.Seconds.class,
            description = "How long to try to reach the master: seconds, or such as 500ms (default: 10s).")
    private Optional<Duration> timeout = Optional.empty();

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description =
                    "An option that the mount has for all who use it, such as packing.durability=uploaded; or one by"
                            + " which the master and the store are reached, packing.tls.* and packing.s3.*. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    /** A client of the master; the first call connects. */
    GrpcBdts connect() {
        Options checked = Options.check(options, "packing.", MountOptions.OPTIONS);
        checkOwn();
        return GrpcBdts.connect(
                master, MasterTarget.patience(options, timeout), SecurityOptions.OF_MOUNTS.from(checked));
    }

    /** Refuses options that are neither the mount's nor needed to reach it: the command would do nothing with them. */
    private void checkOwn() {
        List<String> known = Stream.of(
                        SharedMountOptions.OPTIONS,
                        StoreOptions.OPTIONS,
                        SecurityOptions.OF_MOUNTS.ofClients(),
                        List.of(BdtOptions.MASTER_TIMEOUT, BdtOptions.SEND_CREDENTIALS))
                .flatMap(List::stream)
                .<String>map(io.packing.options.Option::key)
                .toList();
        for (String key : options.keySet()) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(
                        "--option %s: each process has its own; give it to the workers or clients of the mount"
                                .formatted(key));
            }
        }
    }

    /** Returns the options that are the mount's. */
    Map<String, String> terms() {
        Map<String, String> terms = new LinkedHashMap<>(options);
        terms.keySet()
                .retainAll(SharedMountOptions.OPTIONS.stream()
                        .<String>map(io.packing.options.Option::key)
                        .toList());
        return terms;
    }

    /** Returns all options, with those of a mount's store. */
    Map<String, String> at(String store) {
        Map<String, String> all = new LinkedHashMap<>(MountTarget.withCredentials(options, System.getenv()));
        all.put(StoreOptions.STORE.key(), store);
        return all;
    }

    /** Finds the name of a mount that is called by its name or its store. */
    String name(GrpcBdts bdts, String mount) throws IOException {
        if (!mount.contains(":")) {
            return mount;
        }
        Map<String, String> way = at(mount);
        way.keySet().removeAll(terms().keySet());
        return bdts.terms().open(way);
    }
}
