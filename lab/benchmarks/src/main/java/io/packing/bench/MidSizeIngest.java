// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A benchmark of files that are larger than an extent and much smaller than a blob. In the cluster {@code alone} each
 * has a blob of its own, as {@code packing.spill.bytes=4MB} asks for; in {@code shared} the defaults hold. They take
 * turns as {@link IngestPair} says. Files above {@code packing.spill.bytes} are written alike on both sides.
 */
public final class MidSizeIngest {
    private static final Map<String, String> DEFAULTS =
            Map.of("files", "205", "size", "5242880", "threads", "4", "rounds", "3");

    private MidSizeIngest() {}

    public static void main(String[] args) throws Exception {
        PairOptions settings = new PairOptions(args, DEFAULTS);
        Path home = settings.home("mid-size");
        List<String> options = settings.options();
        List<String> alone = EncryptedIngest.with(options, List.of("packing.spill.bytes=4MB"));
        try (IngestCluster own = new IngestCluster(home.resolve("alone"), List.of(), alone);
                IngestCluster common = new IngestCluster(home.resolve("shared"), List.of(), options)) {
            settings.pair("alone", "shared")
                    .run(
                            new IngestPair.Side(own, own.client(alone)),
                            new IngestPair.Side(common, common.client(options)));
        } finally {
            IngestTurns.delete(home);
        }
    }
}
