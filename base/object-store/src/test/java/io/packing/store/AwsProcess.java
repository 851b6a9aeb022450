// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.store.credentials.AskedCredentials;
import io.packing.store.credentials.AwsSettings;
import io.packing.storeservers.AwsServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings of a process with AWS's services on this machine; what the SDK itself reads stands in Java's properties. */
final class AwsProcess implements AutoCloseable {
    static final String ROLE = "arn:aws:iam::123456789012:role/packing";

    final AwsServices services;
    private final Path home;
    private final Map<String, @Nullable String> before = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();

    /** @param home its files are those of the profile */
    AwsProcess(Path home) throws IOException {
        this.home = home;
        this.services = AwsServices.start(Clock.systemUTC());
        services.properties().forEach(this::set);
        Files.createFile(home.resolve("config"));
        Files.createFile(home.resolve("credentials"));
        set("aws.configFile", home.resolve("config").toString());
        set("aws.sharedCredentialsFile", home.resolve("credentials").toString());
    }

    /** Sets a property of Java until the end of the test. */
    void set(String key, String value) {
        String old = System.setProperty(key, value);
        if (!before.containsKey(key)) {
            before.put(key, old);
        }
    }

    /** Sets a variable of the environment; the SDK's own code does not see it. */
    void variable(String name, String value) {
        environment.put(name, value);
    }

    /** Writes the configuration of profiles. */
    void config(String text) throws IOException {
        Files.writeString(home.resolve("config"), text);
    }

    AwsSettings settings() {
        return new AwsSettings(
                System.getProperties().stringPropertyNames().stream()
                        .filter(name -> name.startsWith("aws."))
                        .collect(Collectors.toMap(name -> name, name -> System.getProperty(name, ""))),
                environment);
    }

    /** Returns options of a bucket behind these services. */
    StoreOptions options(Map<String, String> more) {
        Map<String, String> raw = new HashMap<>(Map.of(
                "packing.store",
                "s3://bucket/p",
                "packing.s3.endpoint",
                services.endpoint().toString(),
                "packing.s3.retry.timeout",
                "10s"));
        raw.putAll(more);
        return StoreOptions.from(raw);
    }

    AskedCredentials credentials() {
        return S3Connection.credentials(options(Map.of()), settings());
    }

    /** Returns the access key that this process uses. */
    String key() {
        try (AskedCredentials credentials = credentials()) {
            return credentials.resolveCredentials().accessKeyId();
        }
    }

    /** Opens the bucket. */
    ObjectStore open(Map<String, String> more) throws IOException {
        return ObjectStores.open(options(more), settings(), RequestListener.NONE);
    }

    /** Asks for a role by the identity of a pod. */
    void webIdentity() throws IOException {
        Path token = Files.writeString(home.resolve("token"), "token-of-the-pod");
        set("aws.roleArn", ROLE);
        set("aws.webIdentityTokenFile", token.toString());
    }

    /** Asks for the credentials that EKS gives to a pod. */
    void podIdentity() throws IOException {
        Path token = Files.writeString(home.resolve("agent-token"), AwsServices.AGENT_TOKEN);
        set("aws.containerCredentialsFullUri", services.agent().toString());
        set("aws.containerAuthorizationTokenFile", token.toString());
    }

    @Override
    public void close() {
        services.close();
        before.forEach((key, value) -> {
            if (value == null) {
                System.clearProperty(key);
            } else {
                System.setProperty(key, value);
            }
        });
    }
}
