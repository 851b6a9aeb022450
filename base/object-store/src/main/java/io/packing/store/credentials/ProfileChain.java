// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

import io.packing.store.credentials.AwsSettings.Given;
import io.packing.store.credentials.Source.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileLocation;
import software.amazon.awssdk.profiles.ProfileProperty;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.services.sts.model.AssumeRoleRequest;

/**
 * The credentials of a profile in AWS's configuration: keys, a role, a login, or a program. A role takes its first credentials
 * from another profile, which may have a role as well.
 */
final class ProfileChain {
    private static final String DEFAULT = "default";
    private static final String LOGIN = "sso_";
    private static final List<String> GIVING = List.of(
            ProfileProperty.AWS_ACCESS_KEY_ID,
            ProfileProperty.AWS_SECRET_ACCESS_KEY,
            ProfileProperty.ROLE_ARN,
            ProfileProperty.CREDENTIAL_PROCESS,
            ProfileProperty.WEB_IDENTITY_TOKEN_FILE,
            ProfileProperty.LOGIN_SESSION);

    private final AwsSettings settings;
    private final TokenService service;
    private final CredentialChain others;
    private final Clock clock;

    ProfileChain(AwsSettings settings, TokenService service, CredentialChain others, Clock clock) {
        this.settings = settings;
        this.service = service;
        this.others = others;
        this.clock = clock;
    }

    /** Returns the credentials of the named profile, or of {@code default} if that has any. */
    Optional<AskedCredentials> open() {
        Optional<Given> named = settings.find(AwsSetting.PROFILE);
        checkReadable(AwsSetting.CONFIG_FILE, ProfileFileLocation.configurationFilePath());
        checkReadable(AwsSetting.CREDENTIALS_FILE, ProfileFileLocation.credentialsFilePath());
        ProfileFile file = load();
        String name = named.map(Given::value).orElse(DEFAULT);
        boolean gives =
                file.profile(name).filter(ProfileChain::givesCredentials).isPresent();
        if (named.isEmpty() && !gives) {
            return Optional.empty();
        }
        String askedBy =
                named.map(found -> "%s=%s".formatted(found.name(), name)).orElse("the profile default in " + files());
        return Optional.of(open(file, name, askedBy, new LinkedHashSet<>()));
    }

    private static boolean givesCredentials(Profile profile) {
        return profile.properties().keySet().stream().anyMatch(key -> GIVING.contains(key) || key.startsWith(LOGIN));
    }

    /** The SDK passes over a file that is not there or not for this user, also when a setting names it. */
    private void checkReadable(AwsSetting setting, Path path) {
        Optional<Given> named = settings.find(setting);
        if (named.isPresent() && !Files.exists(path)) {
            throw new CredentialsException(
                    "credentials: %s names %s, which does not exist. Next: correct it, or unset it"
                            .formatted(named.get().name(), path));
        }
        if (Files.exists(path) && !Files.isReadable(path)) {
            throw new CredentialsException(
                    "credentials: %s cannot be read by this user. Next: change its owner or mode, or remove it"
                            .formatted(path));
        }
    }

    private static ProfileFile load() {
        try {
            return ProfileFile.defaultProfileFile();
        } catch (RuntimeException e) {
            throw new CredentialsException(
                    "credentials: %s cannot be read: %s. Next: correct the file".formatted(files(), e.getMessage()),
                    false,
                    e);
        }
    }

    private static String files() {
        return "%s or %s"
                .formatted(ProfileFileLocation.credentialsFilePath(), ProfileFileLocation.configurationFilePath());
    }

    /** @param path names of the profiles that led here */
    private AskedCredentials open(ProfileFile file, String name, String askedBy, Set<String> path) {
        Profile profile = file.profile(name)
                .orElseThrow(() -> new CredentialsException(
                        "credentials: there is no profile %s, asked for by %s; there are %s. Next: write it into %s"
                                .formatted(
                                        name,
                                        askedBy,
                                        file.profiles().isEmpty()
                                                ? "none"
                                                : String.join(
                                                        ", ",
                                                        new TreeSet<>(
                                                                file.profiles().keySet())),
                                        files())));
        // A profile may name itself as the source of the keys of its role.
        boolean again = !path.add(name);
        boolean keys =
                has(profile, ProfileProperty.AWS_ACCESS_KEY_ID) || has(profile, ProfileProperty.AWS_SECRET_ACCESS_KEY);
        if (again && !(keys && last(path).equals(name))) {
            throw bad(profile, "its source profiles lead back to it: " + String.join(" -> ", path), askedBy);
        }
        if (!again && has(profile, ProfileProperty.ROLE_ARN)) {
            return ofRole(file, profile, askedBy, path);
        }
        if (profile.properties().keySet().stream().anyMatch(key -> key.startsWith(LOGIN))) {
            return SignedInProfile.open(file, profile, askedBy, service, settings.home(), clock);
        }
        if (has(profile, ProfileProperty.CREDENTIAL_PROCESS)) {
            return new AskedCredentials(
                    new Source(
                            Kind.PROFILE,
                            "the keys that the program of profile %s prints".formatted(name),
                            askedBy,
                            "run the credential_process of the profile by hand"),
                    ProfileCredentialsProvider.builder()
                            .profileFile(WatchedProfiles.ofProcess())
                            .profileName(name)
                            .build(),
                    List.of());
        }
        if (keys) {
            return ofKeys(profile, askedBy);
        }
        if (has(profile, ProfileProperty.LOGIN_SESSION)) {
            throw bad(profile, "login_session is not supported; use sso_session, a role or keys", askedBy);
        }
        throw bad(
                profile, "it has no credentials: give it keys, role_arn, credential_process, or sso_session", askedBy);
    }

    private static String last(Set<String> path) {
        return List.copyOf(path).get(path.size() - 1);
    }

    private static boolean has(Profile profile, String key) {
        return !profile.property(key).orElse("").isBlank();
    }

    private static String get(Profile profile, String key) {
        return profile.property(key).orElse("").strip();
    }

    static CredentialsException bad(Profile profile, String why, String askedBy) {
        return new CredentialsException(
                "credentials: profile %s, asked for by %s, cannot be used: %s. Next: correct it in %s"
                        .formatted(profile.name(), askedBy, why, files()));
    }

    /** Returns the keys that the files have at the time of each request. */
    private static AskedCredentials ofKeys(Profile profile, String askedBy) {
        if (!has(profile, ProfileProperty.AWS_ACCESS_KEY_ID) || !has(profile, ProfileProperty.AWS_SECRET_ACCESS_KEY)) {
            throw bad(profile, "it has only one of aws_access_key_id and aws_secret_access_key", askedBy);
        }
        WatchedProfiles files = WatchedProfiles.ofProcess();
        String name = profile.name();
        Source source = new Source(Kind.PROFILE, "the keys of profile " + name, askedBy, "renew or correct these keys");
        return new AskedCredentials(source, () -> keys(files.get(), name), List.of());
    }

    private static AwsCredentials keys(ProfileFile file, String name) {
        Profile now = file.profile(name)
                .orElseThrow(
                        () -> new IllegalStateException("%s have no profile %s any more".formatted(files(), name)));
        String access = get(now, ProfileProperty.AWS_ACCESS_KEY_ID);
        String secret = get(now, ProfileProperty.AWS_SECRET_ACCESS_KEY);
        String token = get(now, ProfileProperty.AWS_SESSION_TOKEN);
        if (access.isEmpty() || secret.isEmpty()) {
            throw new IllegalStateException("the profile has only one of its keys any more");
        }
        return token.isEmpty()
                ? AwsBasicCredentials.create(access, secret)
                : AwsSessionCredentials.create(access, secret, token);
    }

    private AskedCredentials ofRole(ProfileFile file, Profile profile, String askedBy, Set<String> path) {
        String role = get(profile, ProfileProperty.ROLE_ARN);
        String session = has(profile, ProfileProperty.ROLE_SESSION_NAME)
                ? get(profile, ProfileProperty.ROLE_SESSION_NAME)
                : others.sessionName();
        if (has(profile, ProfileProperty.MFA_SERIAL)) {
            throw bad(profile, "mfa_serial asks for a code, which a daemon cannot type", askedBy);
        }
        if (has(profile, ProfileProperty.WEB_IDENTITY_TOKEN_FILE)) {
            Path token = Path.of(get(profile, ProfileProperty.WEB_IDENTITY_TOKEN_FILE));
            return others.ofToken(Kind.PROFILE, askedBy, role, token, session);
        }
        AskedCredentials first = first(file, profile, askedBy, path);
        StsClient client = service.client(first);
        Source source = new Source(
                Kind.PROFILE,
                "the role " + role,
                askedBy,
                "look whether the role's trust policy has the identity of "
                        + first.source().name());
        List<AutoCloseable> below = new ArrayList<>(List.of(client));
        below.add(first);
        return new AskedCredentials(
                source,
                StsAssumeRoleCredentialsProvider.builder()
                        .stsClient(client)
                        .refreshRequest(request(profile, role, session))
                        .build(),
                below);
    }

    private static AssumeRoleRequest request(Profile profile, String role, String session) {
        AssumeRoleRequest.Builder request =
                AssumeRoleRequest.builder().roleArn(role).roleSessionName(session);
        if (has(profile, ProfileProperty.EXTERNAL_ID)) {
            request.externalId(get(profile, ProfileProperty.EXTERNAL_ID));
        }
        if (has(profile, ProfileProperty.DURATION_SECONDS)) {
            request.durationSeconds(Integer.valueOf(get(profile, ProfileProperty.DURATION_SECONDS)));
        }
        return request.build();
    }

    /** Returns the credentials that ask for a role. */
    private AskedCredentials first(ProfileFile file, Profile profile, String askedBy, Set<String> path) {
        String from = get(profile, ProfileProperty.SOURCE_PROFILE);
        String source = get(profile, ProfileProperty.CREDENTIAL_SOURCE);
        if (from.isEmpty() == source.isEmpty()) {
            throw bad(
                    profile,
                    "its role needs one of source_profile, credential_source and web_identity_token_file",
                    askedBy);
        }
        if (!from.isEmpty()) {
            return open(file, from, "source_profile of " + profile.name(), path);
        }
        Optional<AskedCredentials> found = switch (source) {
            case "Environment" -> others.environment();
            case "EcsContainer" -> others.container();
            case "Ec2InstanceMetadata" -> Optional.of(others.machine());
            default ->
                throw bad(
                        profile,
                        "credential_source is %s; want Environment, EcsContainer or Ec2InstanceMetadata"
                                .formatted(source),
                        askedBy);
        };
        return found.orElseThrow(
                () -> bad(profile, "its credential_source %s has no settings here".formatted(source), askedBy));
    }
}
