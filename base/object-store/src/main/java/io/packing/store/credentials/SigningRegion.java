// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

import io.packing.store.credentials.AwsSettings.Given;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileProperty;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.InstanceProfileRegionProvider;

/**
 * The region that requests are signed for: that of an option, or else the one that AWS's SDK finds.
 *
 * @param saidBy the option, the setting or the file that says so
 */
public record SigningRegion(String name, String saidBy) {
    private static final String FALLBACK = "us-east-1";
    private static final String DEFAULT = "default";

    /** Returns the region of a store, without a question to the machine's metadata service. */
    public static SigningRegion of(Optional<String> option, AwsSettings settings) {
        return option.map(name -> new SigningRegion(name, "packing.s3.region"))
                .or(() -> ofSettings(settings))
                .orElseGet(() -> new SigningRegion(FALLBACK, DEFAULT));
    }

    /** Returns the region of the token service: that of this process, or else the store's. */
    public static String ofProcess(Optional<String> option, AwsSettings settings) {
        return ofSettings(settings).orElseGet(() -> of(option, settings)).name();
    }

    /** Returns this region, or if nothing says one, that of the machine. */
    public SigningRegion orOfMachine() {
        if (!saidBy.equals(DEFAULT)) {
            return this;
        }
        try {
            Region region = new InstanceProfileRegionProvider().getRegion();
            return region == null ? this : new SigningRegion(region.id(), "the machine");
        } catch (SdkException e) {
            // Off AWS there is no such service. Then the machine's role is missing, too, and that is reported.
            return this;
        }
    }

    /** Returns the region that the settings or the profile of this process have. */
    static Optional<SigningRegion> ofSettings(AwsSettings settings) {
        Optional<Given> given = settings.find(AwsSetting.REGION);
        if (given.isPresent()) {
            return Optional.of(
                    new SigningRegion(given.get().value(), given.get().name()));
        }
        String profile = settings.find(AwsSetting.PROFILE).map(Given::value).orElse(DEFAULT);
        try {
            return ProfileFile.defaultProfileFile()
                    .profile(profile)
                    .flatMap(found -> found.property(ProfileProperty.REGION))
                    .map(name -> new SigningRegion(name.strip(), "profile " + profile));
        } catch (RuntimeException e) {
            // The search for credentials reports a file that is not readable.
            return Optional.empty();
        }
    }
}
