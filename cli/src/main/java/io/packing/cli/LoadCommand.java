// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.cli.launch.Narrator;
import io.packing.encryption.Keystore;
import io.packing.operations.dump.BytesTarget;
import io.packing.operations.dump.DumpHeader;
import io.packing.operations.dump.DumpReader;
import io.packing.operations.dump.Load;
import io.packing.operations.dump.LoadResult;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.StoreOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PlacedStores;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the files of a dump. */
@Command(
        name = "load",
        description = {
            "Makes the files and directories of a dump in a mount, with their attributes.",
            "In the mount of the dump no byte is copied.",
            "--copy-bytes copies them from the blobs that the dump names: into another mount, or for files that "
                    + "are gone.",
            "A torn or damaged dump makes nothing (exit code 4).",
            "The same command completes a load that was broken off. Files that it cannot make are listed (exit "
                    + "code 1)."
        })
final class LoadCommand implements Callable<Integer> {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Option(
            names = "--into",
            paramLabel = "PATH",
            defaultValue = "/",
            description = "What the top of the dump becomes, below the path of MOUNT (default: ${DEFAULT-VALUE}).")
    private String into = "";

    @Option(names = "--copy-bytes", description = "Copy the bytes, through the workers of the mount.")
    private boolean bytes;

    @Option(
            names = "--source-option",
            paramLabel = "KEY=VALUE",
            description =
                    "With --copy-bytes: an option of the store that has the blobs, such as packing.s3.endpoint=…, where it "
                            + "differs from the mount's. May be repeated (default: packing.store as the dump has it).")
    private Map<String, String> from = new LinkedHashMap<>();

    @Option(names = "--overwrite", description = "Replace files that are there and differ.")
    private boolean overwrite;

    @Parameters(
            paramLabel = "[MOUNT] FILE",
            arity = "1..2",
            hideParamSyntax = true,
            description = "The mount, or a directory of it, as " + MountUri.FORM + "; then the dump.")
    private List<String> words = List.of();

    private Path file = Path.of("");

    /** A load's result and duration. */
    record Loaded(@JsonUnwrapped LoadResult result, double seconds) {}

    @Override
    public Integer call() throws IOException {
        if (!bytes && !from.isEmpty()) {
            throw new IllegalArgumentException("--source-option says where bytes are copied from: add --copy-bytes");
        }
        file = Path.of(target.operands(words, 1, "FILE").get(0));
        long start = System.nanoTime();
        DumpHeader header = DumpReader.header(file);
        LoadResult result = bytes ? withBytes(header) : metadata(header);
        Loaded loaded = new Loaded(result, (System.nanoTime() - start) / 1e9);
        report.print(
                loaded,
                out -> out.printf(
                        "%,d files of %,d bytes and %,d directories in %.1f s; %,d files were there, %,d could not be"
                                + " made%n",
                        result.files(),
                        result.bytes(),
                        result.directories(),
                        loaded.seconds(),
                        result.there(),
                        result.failed()));
        return result.failed() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private LoadResult metadata(DumpHeader header) throws IOException {
        String store = MountOptions.from(target.options()).store().location().text();
        if (!header.store().equals(store)) {
            throw new IllegalArgumentException(
                    "the dump is of the mount of %s, and this is the mount of %s: a mount has only blobs of its own. --copy-bytes copies the files"
                            .formatted(header.store(), store));
        }
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            return run(Load.ofMetadata(bdt, file, target.below(into), overwrite, this::warn));
        }
    }

    private LoadResult withBytes(DumpHeader header) throws IOException {
        Map<String, String> options = target.options();
        Map<String, String> source = new LinkedHashMap<>(options);
        source.put(StoreOptions.STORE.key(), header.store());
        source.putAll(from);
        MountOptions mountOptions = MountOptions.from(options);
        // The blobs of this very mount are where its master says, others where the options say.
        boolean own = from.isEmpty()
                && header.store().equals(mountOptions.store().location().text());
        try (GrpcBdts bdts = target.connect();
                RemotePackingFileSystem mount =
                        RemotePackingFileSystem.open(bdts, mountOptions, ObjectStores::open, Writers.preferHost(""));
                ObjectStore blobs = own
                        ? PlacedStores.open(mount.bdt(), mountOptions, ObjectStores::open)
                        : ObjectStores.open(MountOptions.from(source).store());
                Keystore keystore = MountOptions.from(source).encryption().open()) {
            BytesTarget to = new BytesTarget(blobs, keystore, mount);
            return run(Load.ofBytes(to, file, target.below(into), overwrite, this::warn));
        }
    }

    private LoadResult run(Load load) throws IOException {
        try (ProgressBar bar = new Narrator(report.isJson()).bar("loading files", -1)) {
            return load.run(bar::maxHint, bar::stepBy);
        }
    }

    private synchronized void warn(String what) {
        report.err().println("packing: " + what);
        report.err().flush();
    }
}
