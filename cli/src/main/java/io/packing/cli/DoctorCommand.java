// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.fuse.mount.FuseMount;
import io.packing.layers.containerd.KernelRoots;
import io.packing.store.StoreDoctor;
import io.packing.store.StoreExamination;
import io.packing.store.StoreExamination.Finding;
import io.packing.store.StoreExamination.UsedCredentials;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells how this process would use the store of a mount. */
@Command(
        name = "doctor",
        description = {
            "Tells which credentials, region and store this process would use for a mount, whether the store knows conditions of"
                    + " PUTs, and by how much the clocks are apart.",
            "Writes a small object into the store, beside those of the mount, and deletes it. docs/clouds.md explains the findings.",
            "Exit code 1 when the store cannot be used as it should."
        })
final class DoctorCommand implements Callable<Integer> {
    /** People wait for the command; a daemon would repeat requests for minutes. */
    private static final String PATIENCE = "10s";

    @Mixin
    private MasterTarget target = new MasterTarget();

    @Option(
            names = "--containers",
            description =
                    "Try what containers of packing layers need of this machine's kernel, as root, and look at no mount: FUSE, and the metadata images of "
                            + "packing layers --containerd. Exit code 1 when FUSE is missing.")
    private boolean layers;

    @Parameters(paramLabel = MastersArgument.MOUNT_LABEL, arity = "0..1", description = MastersArgument.MOUNT)
    private Optional<String> mount = Optional.empty();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (layers) {
            return tryKernel();
        }
        target.mount(mount);
        Map<String, String> options = new LinkedHashMap<>(target.options());
        options.putIfAbsent(StoreOptions.RETRY_TIMEOUT.key(), PATIENCE);
        StoreExamination found = StoreDoctor.examine(StoreOptions.from(options), Clock.systemUTC(), new SecureRandom());
        report.print(found, out -> print(found, out));
        return found.hasProblem() ? ExitCodes.FAILED : ExitCodes.OK;
    }

    /**
     * The findings of the kernel.
     *
     * @param metadataImages true when the kernel itself shows names and attributes of an image's files
     * @param reason against metadata images; empty text: they can be mounted
     */
    record KernelFound(boolean fuse, boolean metadataImages, String reason) {}

    private int tryKernel() throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("packing-doctor");
        Optional<String> whyNot = KernelRoots.whyNot(scratch);
        KernelFound found = new KernelFound(FuseMount.isPossible(), whyNot.isEmpty(), whyNot.orElse(""));
        report.print(found, out -> {
            line(
                    out,
                    "fuse",
                    found.fuse() ? "yes" : "no: /dev/fuse cannot be opened: load the fuse module, and run as root");
            line(
                    out,
                    "metadata images",
                    found.metadataImages() ? "yes" : "no, containers read names by FUSE, too: " + found.reason());
        });
        return found.fuse() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static void print(StoreExamination found, PrintWriter out) {
        line(
                out,
                "store",
                found.endpoint() == null ? found.store() : "%s at %s".formatted(found.store(), found.endpoint()));
        UsedCredentials credentials = found.credentials();
        if (credentials != null) {
            line(out, "credentials", "%s, asked for by %s".formatted(credentials.name(), credentials.askedBy()));
            line(out, "identity", credentials.identity() == null ? "none" : credentials.identity());
        }
        if (found.region() != null) {
            line(out, "region", "%s, by %s".formatted(found.region(), found.regionFrom()));
        }
        line(
                out,
                "conditional put",
                found.conditionalPut() == null ? "not tried" : found.conditionalPut() ? "yes" : "no");
        if (found.clockSkewMs() != null) {
            line(out, "clock", "the store's is %d ms ahead".formatted(found.clockSkewMs()));
        }
        for (Finding finding : found.findings()) {
            line(out, finding.problem() ? "problem" : "note", finding.text());
        }
        if (found.findings().isEmpty()) {
            line(out, "findings", "none");
        }
    }

    private static void line(PrintWriter out, String name, String text) {
        out.printf("%-16s %s%n", name + ":", text);
    }
}
