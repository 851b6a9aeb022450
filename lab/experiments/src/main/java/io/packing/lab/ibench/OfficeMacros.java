// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** The macros by which LibreOffice writes documents insert by insert, in a user's profile. */
final class OfficeMacros {
    private static final String LIBRARY = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">
            <library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard"
             library:readonly="false" library:passwordprotected="false">
             <library:element library:name="Desk"/>
            </library:library>
            """;
    private static final String MODULE = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
            <script:module xmlns:script="http://openoffice.org/2000/script" script:name="Desk" script:language="StarBasic">
            %s</script:module>
            """;

    private OfficeMacros() {}

    /** Adds the macros to a profile that LibreOffice has made. */
    static void addTo(Path profile) throws IOException {
        Path library = Files.createDirectories(profile.resolve("user/basic/Standard"));
        try (InputStream in = Objects.requireNonNull(OfficeMacros.class.getResourceAsStream("desk.bas"))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(library.resolve("Desk.xba"), MODULE.formatted(escape(text)));
        }
        Files.writeString(library.resolve("script.xlb"), LIBRARY);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
