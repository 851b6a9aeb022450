"""Whether each jar of an unpacked distribution is in its list of parts, with a licence, and the text of the licence is there.

usage: licences.py FOLDER
"""

import json
import pathlib
import sys

OWN = "io.packing"
# Texts for jars that have none inside, by how the list of parts calls the licence; JLine has three clauses, and is listed with four.
TEXTS = {
    "Apache-2.0": "ratis-common-jar/META-INF/LICENSE",
    "EPL-2.0": "junit-jupiter-api-jar/META-INF/LICENSE.md",
    "LGPL-2.1": "jvmdowngrader-java-api-downgraded-11-jar/license/LGPLv2.1.md",
    "LGPL-2.1-only": "jvmdowngrader-java-api-downgraded-11-jar/license/LGPLv2.1.md",
    "GNU Library or Lesser General Public License (LGPL)": "LGPL-3.0.txt",
    "MIT": "MIT.txt",
    "MIT-0": "MIT-0.txt",
    "BSD-2-Clause": "BSD-2-Clause.txt",
    "BSD-3-Clause": "BSD-3-Clause.txt",
    "BSD New license": "BSD-3-Clause.txt",
    "BSD-4-Clause": "BSD-3-Clause.txt",
}


def names(component):
    for entry in component.get("licenses", []):
        licence = entry.get("license", {})
        yield licence.get("id") or licence.get("name") or entry.get("expression")


def has_text(folder, component):
    own = folder / "licences" / (component["name"] + "-jar")
    if own.is_dir() and any(file.is_file() and file.stat().st_size for file in own.rglob("*")):
        return True
    return any(name in TEXTS and (folder / "licences" / TEXTS[name]).is_file() for name in names(component))


def problems(folder):
    parts = json.loads((folder / "packing-sbom.json").read_text())["components"]
    by_jar = {f"{part['name']}-{part['version']}.jar": part for part in parts}
    jars = sorted(file.name for file in (folder / "lib").glob("*.jar"))
    if len(jars) < 50:
        yield f"lib has {len(jars)} jars only"
    for jar in jars:
        part = by_jar.get(jar)
        if part is None:
            yield f"{jar} is not in the list of parts"
        elif part.get("group") != OWN:
            if not list(names(part)):
                yield f"{jar} has no licence in the list of parts"
            elif not has_text(folder, part):
                yield f"{jar}: no text of {', '.join(names(part))} in licences"
    # What is only inside of the jars of other processes.
    inside = [part for part in parts if part["name"] == "jvmdowngrader-java-api"]
    if not inside or not all(has_text(folder, part) for part in inside):
        yield "JvmDowngrader is not in the list of parts with its licence"
    for jar, part in by_jar.items():
        if jar not in jars and part not in inside:
            yield f"{jar} is in the list of parts, and not in lib"
    texts = set(TEXTS.values())
    for text in sorted(texts):
        if not (folder / "licences" / text).is_file():
            yield f"licences/{text} is not there"


found = list(problems(pathlib.Path(sys.argv[1])))
for problem in found:
    print("licences: " + problem, file=sys.stderr)
sys.exit(1 if found else 0)
