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

/** The mount and the BDT master that a command asks, and the time to try to reach them. */
final class MasterTarget {
    /** People wait for a command; a mount may wait longer. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Option(
            names = "--master",
            paramLabel = "HOST:PORT",
            required = true,
            description = "The BDT master, or the masters of a group with commas between them.")
    private String master = "";

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = Seconds.class,
            description = "How long to try to reach the master: seconds, or such as 500ms (default: "
                    + "packing.master.timeout where it is given as an option, else 10s).")
    private Optional<Duration> timeout = Optional.empty();

    @Mixin
    private MountTarget mountTarget = new MountTarget();

    /** The options of the mount. */
    Map<String, String> options() {
        return mountTarget.resolve();
    }

    /** A client of the master; the first call connects. */
    GrpcBdts connect() {
        Map<String, String> mount = options();
        Options checked = Options.check(mount, "packing.", MountOptions.OPTIONS);
        return GrpcBdts.connect(master, patience(mount, timeout), SecurityOptions.OF_MOUNTS.from(checked));
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
