// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.client.GrpcBdts;
import io.packing.options.Options;
import io.packing.options.Parsers;
import io.packing.store.ObjectStores;
import io.packing.transport.SecurityOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The mount that a command asks for files or their bytes, and the time to try to reach its master. */
final class MasterTarget extends MastersArgument {
    /** People wait for a command; a mount may wait longer. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = Seconds.class,
            description = "How long to try to reach the master: seconds, or such as 500ms (default: "
                    + "packing.master.timeout where it is given as an option, else 4s).")
    private Optional<Duration> timeout = Optional.empty();

    @Mixin
    private MountTarget mountTarget = new MountTarget();

    /** The options with those that lead to the mount's store; empty: the command has not asked the master yet. */
    private Optional<Map<String, String>> complete = Optional.empty();

    /** Returns the options of the mount; the master tells where the store is when they do not. */
    Map<String, String> options() throws IOException {
        if (complete.isEmpty()) {
            try (GrpcBdts bdts = open()) {
                complete(bdts);
            }
        }
        return complete.orElseThrow();
    }

    /** Returns a client of the master, which knows the mount. */
    GrpcBdts connect() throws IOException {
        GrpcBdts bdts = open();
        try {
            complete(bdts);
            return bdts;
        } catch (IOException | RuntimeException e) {
            bdts.close();
            throw e;
        }
    }

    /** Returns the options of the mount as they are given, with the credentials of the environment. */
    Map<String, String> given() {
        return mountTarget.resolve();
    }

    /** Returns the time for which to try to reach the master. */
    Duration patience() {
        return patience(given(), timeout);
    }

    private void complete(GrpcBdts bdts) throws IOException {
        if (complete.isEmpty()) {
            complete = Optional.of(name().complete(bdts, mountTarget.resolve()));
        }
    }

    private GrpcBdts open() throws IOException {
        Map<String, String> mount = mountTarget.resolve();
        Options checked = Options.check(mount, "packing.", MountOptions.OPTIONS);
        return GrpcBdts.connect(masters(), patience(mount, timeout), SecurityOptions.OF_MOUNTS.from(checked));
    }

    /** The mount with the bytes of its files, by a client from {@link #connect}. */
    RemotePackingFileSystem open(GrpcBdts bdts) throws IOException {
        MountOptions mount = MountOptions.from(options());
        return RemotePackingFileSystem.open(bdts, mount, ObjectStores::open, Writers.preferHost(""));
    }

    /**
     * Returns the time for which to try to reach the master.
     *
     * @throws IllegalArgumentException when it is said twice, or an option of the mount is unknown or malformed
     */
    static Duration patience(Map<String, String> mount, Optional<Duration> timeout) {
        Options options = Options.check(mount, "packing.", MountOptions.OPTIONS);
        if (!options.isSet(BdtOptions.MASTER_TIMEOUT)) {
            return timeout.orElse(PATIENCE);
        }
        if (timeout.isPresent()) {
            throw new IllegalArgumentException("--timeout and --option %s say the same thing: give one of them"
                    .formatted(BdtOptions.MASTER_TIMEOUT.key()));
        }
        return options.get(BdtOptions.MASTER_TIMEOUT);
    }

    /** Reads seconds without a unit, or a duration with one. */
    static final class Seconds implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                return text.matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(text)) : Parsers.duration(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("'%s': %s".formatted(text, e.getMessage()));
            }
        }
    }
}
