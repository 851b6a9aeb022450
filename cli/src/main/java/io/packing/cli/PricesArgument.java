// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.cli.launch.Home;
import io.packing.options.PriceTable;
import java.io.IOException;
import picocli.CommandLine.Option;

/** The option that names the store's price table. */
public final class PricesArgument {
    @Option(
            names = "--prices",
            defaultValue = "s3-standard",
            description = "A price table of conf/prices (default: ${DEFAULT-VALUE}).")
    private String name = "";

    public PriceTable read(Home home) throws IOException {
        return PriceTable.read(home.prices(name));
    }
}
