// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

import io.packing.store.credentials.Source.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileProperty;
import software.amazon.awssdk.services.sso.SsoClient;
import software.amazon.awssdk.services.sso.auth.SsoCredentialsProvider;
import software.amazon.awssdk.services.sso.model.GetRoleCredentialsRequest;
import software.amazon.awssdk.services.ssooidc.SsoOidcClient;

/**
 * The role of a person who signed in by {@code aws sso login}. The login is a file that AWS's command line writes below {@code
 * ~/.aws/sso/cache}. It is read anew, and renewed, for each renewal of the keys; when it has ended, the person has to sign in again.
 */
final class SignedInProfile {
    private static final String SECTION = "sso-session";
    private static final String SESSION = "sso_session";

    private SignedInProfile() {}

    static AskedCredentials open(
            ProfileFile file, Profile profile, String askedBy, TokenService service, Path home, Clock clock) {
        Optional<String> session = profile.property(SESSION);
        Profile section = session.isEmpty()
                ? profile
                : file.getSection(SECTION, session.get())
                        .orElseThrow(() -> ProfileChain.bad(
                                profile, "there is no section [sso-session %s]".formatted(session.get()), askedBy));
        String start = want(section, ProfileProperty.SSO_START_URL, profile, askedBy);
        String region = want(section, ProfileProperty.SSO_REGION, profile, askedBy);
        String account = want(profile, ProfileProperty.SSO_ACCOUNT_ID, profile, askedBy);
        String role = want(profile, ProfileProperty.SSO_ROLE_NAME, profile, askedBy);
        Path cache = cache(home, session.orElse(start));
        String again = "aws sso login --profile " + profile.name();
        Source source = new Source(
                Kind.PROFILE, "the role %s of account %s by a login".formatted(role, account), askedBy, again);
        SsoClient client = service.signedIn(region);
        SsoOidcClient renewals = service.renewals(region);
        LoginFile login = new LoginFile(cache, renewals);
        // The SDK's builder is of a class that is not public.
        SsoCredentialsProvider.Builder builder = SsoCredentialsProvider.builder();
        return new AskedCredentials(
                source,
                builder.ssoClient(client)
                        .refreshRequest(() -> GetRoleCredentialsRequest.builder()
                                .accountId(account)
                                .roleName(role)
                                .accessToken(login.token(clock.instant()))
                                .build())
                        .build(),
                List.of(client, renewals));
    }

    private static String want(Profile from, String key, Profile profile, String askedBy) {
        return from.property(key)
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .orElseThrow(() -> ProfileChain.bad(profile, "its login needs " + key, askedBy));
    }

    /** Returns where AWS's command line keeps a login: the file has the hash of its session's name, or of its URL. */
    private static Path cache(Path home, String of) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(of.getBytes(StandardCharsets.UTF_8));
            return home.resolve(Path.of(".aws", "sso", "cache", HexFormat.of().formatHex(hash) + ".json"));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-1", e);
        }
    }
}
