// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.registry.pull.ImagePull;
import io.packing.registry.pull.ImageReference;
import io.packing.registry.pull.PulledFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Pulls an image without the files that were pulled before. */
@Command(
        name = "pull",
        description = {
            "Pulls an image from a registry into an OCI image layout, which podman, skopeo and crane read.",
            "A packing registry gives only files of split layers that --files-dir lacks, another one whole layers. "
                    + "Every blob is checked against its digest."
        })
final class PullCommand implements Callable<Integer> {
    private static final String PASSWORD_VARIABLE = "PACKING_REGISTRY_PASSWORD";

    @Parameters(
            paramLabel = "IMAGE",
            description = "The image: HOST:PORT/REPOSITORY:TAG or HOST:PORT/REPOSITORY@DIGEST.")
    private String image = "";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            required = true,
            description =
                    "The OCI image layout, which is made if it is not there. The image is named by its tag there.")
    private Path to = Path.of("");

    @Option(
            names = "--files-dir",
            paramLabel = "DIR",
            required = true,
            description = "Where the files of all pulled layers are kept, each once. One pull at a time uses it.")
    private Path files = Path.of("");

    @Option(names = "--plain-http", description = "Speak HTTP, and not HTTPS, with the registry.")
    private boolean plainHttp;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "Who pulls; the password is in " + PASSWORD_VARIABLE + ".")
    private @Nullable String user;

    @Option(
            names = "--platform",
            paramLabel = "OS/ARCHITECTURE",
            defaultValue = "linux/amd64",
            description = "Which image of several is pulled (default: ${DEFAULT-VALUE}).")
    private String platform = "";

    @Option(names = "--whole", description = "Pull whole layers, as other clients do.")
    private boolean whole;

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException {
        ImageReference wanted = ImageReference.parse(image);
        String[] words = platform.split("/", -1);
        if (words.length != 2) {
            throw new IllegalArgumentException("--platform: '%s' is not OS/ARCHITECTURE".formatted(platform));
        }
        URI registry = URI.create((plainHttp ? "http://" : "https://") + wanted.registry());
        try (PulledFiles pulled = PulledFiles.open(files)) {
            ImagePull.Result result = ImagePull.pull(
                    registry,
                    wanted,
                    Optional.ofNullable(user).map(PullCommand::authorization),
                    new ImagePull.Platform(words[0], words[1]),
                    pulled,
                    to,
                    !whole);
            report.print(result, out -> {
                out.println(result.digest());
                out.printf(
                        "%d layers without files that were here, %d whole, %d that were here%n",
                        result.leanLayers(), result.wholeLayers(), result.heldLayers());
                out.printf(
                        "%,d bytes received and %,d sent, for blobs of %,d bytes%n",
                        result.received(), result.sent(), result.bytes());
            });
        }
        return ExitCodes.OK;
    }

    private static String authorization(String user) {
        String password = Optional.ofNullable(System.getenv(PASSWORD_VARIABLE))
                .orElseThrow(() -> new IllegalArgumentException(
                        "--user: the password is missing; put it into " + PASSWORD_VARIABLE));
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }
}
