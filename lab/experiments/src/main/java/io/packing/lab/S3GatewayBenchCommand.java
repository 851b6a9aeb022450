// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.bdt.BdtOptions;
import io.packing.cli.ByteOffset;
import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.objects.GatewayBench;
import io.packing.options.Parsers;
import io.packing.storeservers.ServerKind;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures small objects at the S3 gateway beside another server. */
@Command(
        name = "s3-gateway",
        description = {
            "Writes and reads small objects at the S3 gateway and at another server of S3, in turns, on one disk.",
            "The mount is buffered unless --durability says otherwise. SeaweedFS syncs the bytes of objects if the mount syncs, MinIO syncs"
                    + " always, versitygw never: compare MinIO with --durability synced.",
            "It needs the program of the other server on the path, or in -Dpacking.servers=DIR (bin/test-servers)."
        })
final class S3GatewayBenchCommand implements Callable<Integer> {
    @Mixin
    private MountArguments mount = new MountArguments();

    @Option(
            names = "--peer",
            defaultValue = "seaweedfs",
            description = "The other server: seaweedfs, versitygw or minio (default: ${DEFAULT-VALUE}).")
    private ServerKind peer = ServerKind.SEAWEEDFS;

    @Option(names = "--clients", defaultValue = "32", description = "Connections (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--turn",
            paramLabel = "DURATION",
            defaultValue = "10s",
            description = "Of the puts, and of the gets, of a turn (default: ${DEFAULT-VALUE}).")
    private String turn = "";

    @Option(
            names = "--warm-up",
            paramLabel = "OBJECTS",
            defaultValue = "20000",
            description =
                    "Objects that are put, and got, at each server before the first turn (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--rounds", defaultValue = "3", description = "Turns of each server (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--size",
            converter = ByteOffset.class,
            defaultValue = "8KB",
            description = "Size of an object (default: ${DEFAULT-VALUE}).")
    private long size;

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> options = mount.resolve();
        GatewayBench.Result result = new GatewayBench(
                        peer,
                        options.getOrDefault(BdtOptions.DURABILITY.key(), "buffered"),
                        clients,
                        Parsers.duration(turn),
                        warmUp,
                        rounds,
                        ByteSize.between("--size", size, 1, 4 << 20),
                        options,
                        new Narrator(report.isJson()))
                .run();
        report.print(result, result::print);
        return ExitCodes.OK;
    }
}
