// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.lab.direct.DirectKind;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that names the clients without packing. */
final class DirectArgument {
    @Option(
            names = "--direct",
            paramLabel = "CLIENT",
            split = ",",
            description =
                    "Clients without packing, each beside the packed side. sdk: the AWS SDK for Java as AWS ships it. "
                            + "s3a: Hadoop's client as Hadoop ships it. paced: this project's own, as a control (default: sdk; "
                            + "s3a at Hadoop's door).")
    private List<DirectKind> kinds = new ArrayList<>();

    /** Returns the clients in their order, or the default. */
    List<DirectKind> or(DirectKind byDefault) {
        return kinds.isEmpty() ? List.of(byDefault) : List.copyOf(kinds);
    }

    boolean isGiven() {
        return !kinds.isEmpty();
    }
}
