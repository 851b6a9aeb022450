package io.packing.cli;

import io.packing.cli.rig.Home;
import io.packing.options.PriceTable;
import java.io.IOException;
import picocli.CommandLine.Option;

/** What the store charges. */
final class PricesArgument {
    @Option(
            names = "--prices",
            defaultValue = "s3-standard",
            description = "A price table of conf/prices (default: ${DEFAULT-VALUE}).")
    private String name = "";

    PriceTable read(Home home) throws IOException {
        return PriceTable.read(home.prices(name));
    }
}
