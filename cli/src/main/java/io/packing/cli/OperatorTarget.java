// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.client.GrpcBdts;
import io.packing.options.Options;
import io.packing.transport.SecurityOptions;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The BDT master that a command asks about all of its mounts. */
final class OperatorTarget extends MastersArgument {
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
                    "An option of mounts; only packing.tls.* and packing.insecure are looked at. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    /** Returns the id of the mount that the URI names; the master says which it is when it names none. */
    String mountId(GrpcBdts bdts) throws IOException {
        return bdts.terms()
                .find(name().mount(), MountTarget.withCredentials(options, System.getenv()))
                .mount();
    }

    /** A client of the master; the first call connects. */
    GrpcBdts connect() throws IOException {
        Options checked = Options.check(options, "packing.", MountOptions.OPTIONS);
        return GrpcBdts.connect(
                masters(), MasterTarget.patience(options, timeout), SecurityOptions.OF_MOUNTS.from(checked));
    }
}
