// SPDX-License-Identifier: Apache-2.0
package io.packing.csi;

import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.MountName;
import io.packing.csi.volume.MountSource;
import io.packing.options.Options;
import io.packing.transport.Security;
import io.packing.transport.SecurityOptions;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The mount of a driver, which is opened by the first call that needs it: a driver starts before the masters do. Thread-safe. */
public final class CsiMount implements MountSource, AutoCloseable {
    private final MountName name;
    private final Map<String, String> given;
    private final GrpcBdts masters;
    private Optional<Opened> opened = Optional.empty();

    /** An open mount. */
    private record Opened(Bdt bdt, Map<String, String> options) {}

    /**
     * Makes a mount without a connection.
     *
     * @param given options of this process for the mount
     * @param patience for how long a call tries to reach a master
     * @throws IllegalArgumentException for unknown or malformed options
     */
    public CsiMount(MountName name, Map<String, String> given, Duration patience) {
        this.name = name;
        this.given = Map.copyOf(given);
        Security security = SecurityOptions.OF_MOUNTS.from(Options.check(given, "packing.", MountOptions.OPTIONS));
        this.masters = GrpcBdts.connect(name.masters(), patience, security);
    }

    private synchronized Opened open() throws IOException {
        if (opened.isEmpty()) {
            Map<String, String> options = name.complete(masters, given);
            opened = Optional.of(new Opened(masters.open(options), options));
        }
        return opened.get();
    }

    @Override
    public Bdt bdt() throws IOException {
        return open().bdt();
    }

    /** Returns the options of the mount, with those that lead to its store. */
    Map<String, String> options() throws IOException {
        return open().options();
    }

    String masters() {
        return name.masters();
    }

    @Override
    public synchronized void close() {
        opened.ifPresent(each -> each.bdt().close());
        masters.close();
    }
}
