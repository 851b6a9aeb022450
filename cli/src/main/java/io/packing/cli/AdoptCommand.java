// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.operations.adopt.Adoption;
import io.packing.operations.adopt.AdoptionSource;
import io.packing.operations.adopt.RefusedKey;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestKind;
import io.packing.store.RequestListener;
import io.packing.store.StoreLocation;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PlacedStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes files of the objects of a bucket, without their bytes. */
@Command(
        name = "adopt",
        description = {
            "Makes the objects of a bucket files of a mount, and copies no byte: the files' bytes stay in these objects.",
            "The bucket is one of the mount's own service, which the mount's credentials can list and read. Each read asks for the"
                    + " version that was adopted: an object that has changed or is gone is an error.",
            "Nothing deletes an adopted object: neither rm nor collection does.",
            "Names each object that no file can stand for, such as a/b beside a (exit code 1). Files that are there stay as"
                    + " they are, so the same command goes on with an adoption that was broken off."
        })
final class AdoptCommand implements Callable<Integer> {
    /** The refused objects in JSON; the standard error has them all. */
    private static final int MOST_SHOWN = 1_000;

    private static final String MODE = "644";

    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Parameters(index = "0", paramLabel = "SOURCE", description = "The objects, as s3://bucket/prefix.")
    private String source = "";

    @Parameters(
            index = "1",
            paramLabel = "PATH",
            description = "The directory for them in the mount, or " + MountUri.FORM + "; it is made if it is missing.")
    private String path = "";

    @Option(
            names = "--owner",
            paramLabel = "USER",
            description = "The owner of the files (default: the user of this process).")
    private String owner = System.getProperty("user.name", "");

    @Option(
            names = "--file-mode",
            paramLabel = "OCTAL",
            defaultValue = MODE,
            description = "The permissions of the files (default: ${DEFAULT-VALUE}).")
    private String mode = MODE;

    /**
     * The result, as printed.
     *
     * @param there objects whose path had a file before
     * @param refusals the first refused objects
     */
    record Adopted(
            long objects,
            long bytes,
            long there,
            long refused,
            long listRequests,
            double seconds,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RefusedKey> refusals) {}

    @Override
    public Integer call() throws IOException {
        AdoptionSource from = AdoptionSource.parse(source);
        FilePath to = target.path(path);
        int permissions = permissions();
        long start = System.nanoTime();
        LongAdder lists = new LongAdder();
        RequestListener counter = (kind, bytes, outcome) -> lists.add(kind == RequestKind.LIST ? 1 : 0);
        List<RefusedKey> refusals = new ArrayList<>();
        Path scratch = Files.createTempDirectory("packing-adopt");
        Adoption.Counts counts;
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options());
                ObjectStore store = PlacedStores.open(
                        bdt, MountOptions.from(target.options()), options -> ObjectStores.open(options, counter));
                ProgressBar bar = new Narrator(report.isJson()).bar("adopting objects", -1)) {
            Adoption.Settings settings =
                    new Adoption.Settings(owner, permissions, scratch, AdoptCommand::micros, own(store, from));
            counts = Adoption.run(bdt, store, from, to, settings, each -> refused(each, refusals), bar::stepBy);
        } finally {
            Files.deleteIfExists(scratch);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        Adopted adopted = new Adopted(
                counts.objects(), counts.bytes(), counts.there(), counts.refused(), lists.sum(), seconds, refusals);
        report.print(
                adopted,
                out -> out.printf(
                        "%,d objects of %,d bytes adopted in %.1f s with %,d requests for lists, %,d were there, %,d cannot be files%n",
                        adopted.objects(),
                        adopted.bytes(),
                        adopted.seconds(),
                        adopted.listRequests(),
                        adopted.there(),
                        adopted.refused()));
        return adopted.refused() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private int permissions() {
        if (!mode.matches("[0-7]{1,4}")) {
            throw new IllegalArgumentException(
                    "--file-mode %s: give permissions as octal digits, such as 644".formatted(mode));
        }
        return Integer.parseInt(mode, 8);
    }

    /** Returns the time by which adoptions name their blobs. */
    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Clock.systemUTC().instant());
    }

    /** Returns beginnings of the keys of the mount's own objects, if they are in the bucket. */
    private static List<String> own(ObjectStore store, AdoptionSource from) {
        return StoreLocation.parse(store.location()) instanceof StoreLocation.Bucket at
                        && at.bucket().equals(from.bucket())
                ? List.of(at.keyPrefix() + BlobName.FOLDER, at.keyPrefix() + "bdt/")
                : List.of();
    }

    private void refused(RefusedKey refused, List<RefusedKey> refusals) {
        if (refusals.size() < MOST_SHOWN) {
            refusals.add(refused);
        }
        report.err().printf("packing: %s: %s%n", refused.key(), refused.reason());
        report.err().flush();
    }
}
