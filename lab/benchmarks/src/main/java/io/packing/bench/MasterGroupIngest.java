// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import java.nio.file.Path;
import java.util.List;

/**
 * A benchmark of three masters that agree by Raft. A group of three and a single master ingest small files in turns, as
 * {@link IngestPair} says. All masters share the machine.
 */
public final class MasterGroupIngest {
    private static final int MASTERS = 3;

    private MasterGroupIngest() {}

    public static void main(String[] args) throws Exception {
        PairOptions settings = new PairOptions(args);
        Path home = settings.home("group-ingest");
        List<String> options = settings.options();
        try (IngestCluster alone = new IngestCluster(home.resolve("alone"), List.of(), options);
                IngestCluster group = IngestCluster.ofGroup(home.resolve("group"), MASTERS, options)) {
            settings.pair("one", "three")
                    .run(
                            new IngestPair.Side(alone, alone.client(options)),
                            new IngestPair.Side(group, group.client(options)));
        } finally {
            IngestTurns.delete(home);
        }
    }
}
