"""A scripted model that keeps how it was asked."""

from sqlmend.models import LanguageModel
from sqlmend.testing import ScriptedEngine


class Listening(ScriptedEngine):
    """Keeps temperature, seed and limit of each answer, beside what a scripted engine does."""

    def __init__(self, answer):
        super().__init__(answer)
        self.configs = []

    def complete(self, request):
        self.configs.append(request.config)
        return super().complete(request)


def listening(answer):
    """A model that answers by ``answer``, and the configurations that it was asked with, as they come."""
    engine = Listening(answer)
    return LanguageModel("scripted", engine), engine.configs
