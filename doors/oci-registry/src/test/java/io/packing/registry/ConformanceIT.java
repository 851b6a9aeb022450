// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.registry.access.Access;
import io.packing.registry.access.BasicAccess;
import io.packing.registry.access.Passwords;
import io.packing.registry.access.RegistryTokenKeys;
import io.packing.registry.access.Rights;
import io.packing.registry.access.TokenAccess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conformance suite of the distribution specification against a registry. It needs Go 1.24 or newer on the path, or where
 * {@code -Dpacking.go=FILE} says, and Go's module proxy the first time.
 */
@Tag("cluster")
class ConformanceIT {
    /** Pinned: a newer suite may ask for more. */
    private static final String SUITE =
            "github.com/opencontainers/distribution-spec/conformance@v0.0.0-20260831232431-97274622c111";

    private static final Path HOME = Path.of("target", "conformance");
    private static final Pattern CASES = Pattern.compile("<testsuites[^>]*tests=\"(\\d+)\"[^>]*");
    private static final Pattern FAILED = Pattern.compile("<testcase name=\"([^\"]*)\"[^>]*>\\s*<(?:failure|error)");

    private static Optional<Path> go() {
        String named = System.getProperty("packing.go", "");
        if (!named.isEmpty()) {
            return Optional.of(Path.of(named));
        }
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, "go"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Path suite(Path go) throws IOException, InterruptedException {
        Path binary = HOME.resolve("conformance").toAbsolutePath();
        if (!Files.exists(binary)) {
            run(
                    List.of(go.toString(), "install", SUITE),
                    Map.of("GOBIN", HOME.toAbsolutePath().toString()),
                    HOME.resolve("build.log"));
        }
        return binary;
    }

    private static int run(List<String> command, Map<String, String> environment, Path log)
            throws IOException, InterruptedException {
        Files.createDirectories(HOME);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(HOME.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(10, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IOException("it does not end; see " + log);
        }
        return process.exitValue();
    }

    @Test
    void everyCheckOfTheSuitePasses(@TempDir Path home) throws Exception {
        passes(home, "open", Access.OPEN, Map.of());
    }

    @Test
    void everyCheckOfTheSuitePassesForAClientThatIsAskedForTokens(@TempDir Path home) throws Exception {
        String password = BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(4, "secret".toCharArray());
        BasicAccess basic = new BasicAccess(
                Passwords.parse(List.of("suite:" + password)), Rights.parse(List.of("suite * pull,push,delete")));
        TokenAccess tokens = new TokenAccess(
                basic, RegistryTokenKeys.parse(List.of("k".repeat(40))), Clock.systemUTC(), Optional.empty());
        passes(home, "tokens", tokens, Map.of("OCI_USERNAME", "suite", "OCI_PASSWORD", "secret"));
    }

    private static void passes(Path home, String name, Access access, Map<String, String> credentials)
            throws Exception {
        Optional<Path> go = go();
        assumeTrue(go.isPresent(), "install Go 1.24 or newer, or name it with -Dpacking.go=FILE");
        Path suite = suite(go.get());
        assertThat(suite).as("the suite; see %s", HOME.resolve("build.log")).isExecutable();
        Path results = HOME.resolve(name).toAbsolutePath();
        try (TestMount mount = TestMount.start(home);
                RegistryServer server = RegistryServer.start(
                        RegistryOptions.local(new FilePath("/registry")),
                        mount.files(),
                        access,
                        new SimpleMeterRegistry())) {
            Map<String, String> environment = new HashMap<>(Map.of(
                    "OCI_REGISTRY", server.uri().getAuthority(),
                    "OCI_TLS", "disabled",
                    "OCI_VERSION", "1.1",
                    "OCI_API_BLOBS_UPLOAD_CANCEL", "true",
                    "OCI_API_BLOBS_DIGEST_HEADER", "true",
                    "OCI_API_MANIFESTS_DIGEST_HEADER", "true",
                    "OCI_RESULTS_DIR", results.toString()));
            environment.putAll(credentials);
            int exit = run(List.of(suite.toString()), environment, HOME.resolve(name + ".log"));
            String junit = Files.readString(results.resolve("junit.xml"));
            Matcher cases = CASES.matcher(junit);
            assertThat(cases.find()).as("the report of the suite").isTrue();
            assertThat(Integer.parseInt(cases.group(1))).isGreaterThan(700);
            assertThat(FAILED.matcher(junit).results().map(each -> each.group(1)))
                    .isEmpty();
            assertThat(exit).isZero();
        }
    }
}
