"""Reads what Node has no reader for, and prints JSON.

read_deployment.py yaml FILE…           the documents of YAML files, as one list
read_deployment.py hcl FILE…            Terraform files, each as an object
read_deployment.py promql               expressions from standard input, as a JSON list; the metrics that each names
read_deployment.py crds FOLDER FILE…    JSON schemas of custom resources, for kubeconform, are written to FOLDER
read_deployment.py kubernetes FOLDER VERSION…   and those of Kubernetes itself
"""

import json
import pathlib
import re
import sys


def documents(files):
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return [one for file in files for one in yaml.load_all(pathlib.Path(file).read_text(), loader) if one is not None]


def terraform(files):
    import hcl2

    return [hcl2.loads(pathlib.Path(file).read_text()) for file in files]


def metrics(expressions):
    import promql_parser

    def named(expression):
        # Parsed for its faults; what is printed anew has every name in one form, before its labels or its range.
        text = promql_parser.parse(expression).prettify()
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
        bare = re.sub(r"\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", " ", bare)
        bare = re.sub(r"\{[^}]*\}|\[[^\]]*\]", " ", bare)
        words = re.findall(r"[a-zA-Z_:][\w:]*(?!\w|\s*\()", bare)
        return sorted({word for word in words if word not in ("and", "or", "unless", "bool", "by", "without", "offset")})

    return [named(expression) for expression in expressions]


def strict(schema):
    if isinstance(schema, dict):
        if "properties" in schema and not schema.get("x-kubernetes-preserve-unknown-fields"):
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            strict(value)
    elif isinstance(schema, list):
        for value in schema:
            strict(value)
    return schema


def crds(folder, files):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for crd in documents(files):
        spec = crd["spec"]
        for version in spec["versions"]:
            name = f"{spec['names']['singular']}-{spec['group'].split('.')[0]}-{version['name']}.json"
            schema = strict(version["schema"]["openAPIV3Schema"])
            # Of what stands in every object, Kubernetes' own rules decide.
            schema["properties"]["metadata"] = {"type": "object"}
            pathlib.Path(folder, name).write_text(json.dumps(schema))


def kubernetes(folder, versions):
    import kubernetes_validate

    source = pathlib.Path(kubernetes_validate.__file__).parent / "kubernetes-json-schema"
    for version in versions:
        known = json.loads((source / f"v{version}-local-strict" / "_definitions.json").read_text())["$defs"]
        target = pathlib.Path(folder, f"v{version}-strict")
        target.mkdir(parents=True, exist_ok=True)
        for kind in known.values():
            for which in kind.get("x-kubernetes-group-version-kind", []):
                group = which["group"].split(".")[0]
                name = "-".join(part for part in (which["kind"].lower(), group, which["version"]) if part)
                target.joinpath(f"{name}.json").write_text(json.dumps(whole(kind, known)))


def whole(kind, known):
    """One schema with all that it leads to inside it: kubeconform follows no reference out of the package's files."""
    text = json.dumps(kind)
    needed, open_ones = {}, re.findall(NAMED, text)
    while open_ones:
        name = open_ones.pop()
        if name not in needed:
            needed[name] = known[name]
            open_ones += re.findall(NAMED, json.dumps(known[name]))
    return json.loads(re.sub(NAMED, r'"$ref": "#/definitions/\1"', json.dumps({**kind, "definitions": needed})))


NAMED = r'"\$ref": "[^"#]*#/\$defs/([^"]+)"'


if __name__ == "__main__":
    act, *rest = sys.argv[1:]
    if act in ("crds", "kubernetes"):
        {"crds": crds, "kubernetes": kubernetes}[act](rest[0], rest[1:])
    else:
        answer = {"yaml": documents, "hcl": terraform}[act](rest) if act != "promql" else metrics(json.load(sys.stdin))
        print(json.dumps(answer, default=str))
