// SPDX-License-Identifier: Apache-2.0
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
final class SharedOptionsTarget extends MastersArgument {
    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = MasterTarget.Seconds.class,
            description = "How long to try to reach the master: seconds, or such as 500ms (default: 4s).")
    private Optional<Duration> timeout = Optional.empty();

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description =
                    "An option of the mount that holds for all its clients, such as packing.durability=uploaded; or one of"
                            + " the way to the master or the store, packing.tls.* and packing.s3.*. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    /** A client of the master; the first call connects. */
    GrpcBdts connect() throws IOException {
        Options checked = Options.check(options, "packing.", MountOptions.OPTIONS);
        checkOwn();
        return GrpcBdts.connect(
                masters(), MasterTarget.patience(options, timeout), SecurityOptions.OF_MOUNTS.from(checked));
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

    /**
     * Finds the id of a mount.
     *
     * @param mount its URI, its id, or its store; empty: the mount of the environment or of the current context
     */
    String id(GrpcBdts bdts, Optional<String> mount) throws IOException {
        if (mount.isEmpty() || MountUri.isOne(mount.get())) {
            return bdts.terms().find(name().mount(), way(Optional.empty())).mount();
        }
        return mount.get().contains(":") ? bdts.terms().open(way(mount)) : mount.get();
    }

    /** Returns the options that lead to a mount, without those that it has for all. */
    private Map<String, String> way(Optional<String> store) {
        Map<String, String> way = new LinkedHashMap<>(MountTarget.withCredentials(options, System.getenv()));
        store.ifPresent(text -> way.put(StoreOptions.STORE.key(), text));
        way.keySet().removeAll(terms().keySet());
        return way;
    }

    /** Takes the mount's URI, if a word is one. */
    void mountOrName(Optional<String> word) throws IOException {
        if (word.isPresent() && MountUri.isOne(word.get())) {
            mount(word);
        }
    }
}
